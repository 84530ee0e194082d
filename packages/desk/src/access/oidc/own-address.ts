import { secureUrl } from 'beckon/sign-in/adapter'

export interface OwnAddress {
  /** Where people find the desk, such as `https://desk.example`; they come back from signing in at its `/callback`. */
  readonly publicUrl?: string
  /** Where they come back to, when the provider knows another address. */
  readonly redirectUri?: string
}

/** Where the desk is, for a provider and for cookies. Never taken from a request, which could say anything. */
export function ownAddress({ publicUrl, redirectUri }: OwnAddress): {
  readonly publicOrigin: string
  readonly redirectUri: string
  readonly callbackPath: string
} {
  if (publicUrl === undefined && redirectUri === undefined)
    throw new TypeError('oidcAccess needs publicUrl or redirectUri.')
  const base = publicUrl === undefined ? undefined : secureUrl(publicUrl, 'publicUrl')
  if (base !== undefined && (base.pathname !== '/' || base.search !== '')) {
    throw new TypeError(`publicUrl must be an origin, such as "${base.origin}": a desk is at the root of its host.`)
  }
  const back = secureUrl(redirectUri ?? `${base?.origin}/callback`, 'redirectUri')
  if (base !== undefined && back.origin !== base.origin) throw new TypeError('redirectUri must be below publicUrl.')
  return { publicOrigin: back.origin, redirectUri: redirectUri ?? back.href, callbackPath: back.pathname }
}

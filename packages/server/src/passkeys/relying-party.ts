import { isIP } from 'node:net'
import { isLoopback } from '../runtime/loopback.js'

/** Whose passkeys these are, as browsers know it. */
export interface RelyingParty {
  /** The host name, or one above it, that passkeys are good for. */
  readonly id: string
  /** Where they may be used. */
  readonly origins: readonly string[]
  /** What a person reads when they make one. */
  readonly name: string
}

export interface RelyingPartyOptions {
  /** Default: the host name of the address. A name above it has one passkey for several hosts. */
  readonly rpId?: string | undefined
  /** Other origins of ours where passkeys are used. */
  readonly origins?: readonly string[] | undefined
}

/**
 * The relying party at an address.
 * @throws TypeError where no browser would use a passkey: at a bare IP address, or without https beyond this machine
 */
export function relyingPartyAt(
  address: string,
  name: string,
  { rpId, origins = [] }: RelyingPartyOptions,
): RelyingParty {
  const { hostname, protocol, origin } = new URL(address)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new TypeError(
      `Browsers have no passkeys at ${hostname}. Give a publicUrl with a name: http://localhost:3000, say.`,
    )
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new TypeError(`Browsers have no passkeys at ${origin}: that takes https.`)
  const id = rpId ?? hostname
  if (hostname !== id && !hostname.endsWith(`.${id}`))
    throw new TypeError(`rpId is "${id}", and must be ${hostname} or a name above it.`)
  return { id, name, origins: [origin, ...origins] }
}

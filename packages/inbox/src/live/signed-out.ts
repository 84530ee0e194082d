// A browser does not tell a page why a socket was not opened. Asked for the same address without one, the desk says so.
import type { RefusalData } from '@beckon/core/live'
import type { SaidRefusal } from '../strings/said-refusal.js'

/** What a desk says to someone whom it does not know. */
export interface SignedOut {
  /** What to do about it. */
  readonly refusal: SaidRefusal
  /** Whether its own pages lead to a way to sign in. */
  readonly canSignIn: boolean
}

/** Nobody is known there, or too many have tried to be. */
const refusing = [401, 429]
/** A desk that has not said why by then cannot be reached. */
const maxWaitMs = 10_000

/** Why a desk lets nobody in at the address of its socket; undefined when it would, or cannot be reached. */
export async function signedOutAt(socketUrl: string): Promise<SignedOut | undefined> {
  const { protocol, host, pathname } = new URL(socketUrl, location.href)
  const address = `${protocol.replace(/^ws/, 'http')}//${host}${pathname}`
  try {
    const signal = AbortSignal.timeout(maxWaitMs)
    const response = await fetch(address, { headers: { accept: 'application/json' }, cache: 'no-store', signal })
    if (!refusing.includes(response.status)) return undefined
    const said: Partial<RefusalData> & { detail?: unknown; link?: unknown } = await response.json().catch(() => ({}))
    const { code, params, detail, link } = said
    const reason = typeof detail === 'string' ? detail : ''
    return { refusal: { code, params, reason }, canSignIn: link !== undefined }
  } catch {
    return undefined
  }
}

import type { Incoming } from '../call/incoming.js'

/** What a request shows of who sent it. */
export type Sender = Pick<Incoming, 'principal' | 'sessionId' | 'header' | 'isLocal'>

/** A caller, as every request of theirs identifies them. */
export type CallerKey = readonly (string | null)[]

/**
 * What identifies the sender of a request; undefined for an anonymous caller. A cookie alone does not identify anyone: a cookie
 * that nobody checks may be the same for all. Beside something else it counts, since a gate before the tool may have checked
 * it, and then only a caller with the same cookie may go on with the call that the gate let through.
 */
export function callerKey(sender: Sender): CallerKey | undefined {
  const { principal, sessionId } = sender
  if (principal !== undefined) return ['principal', principal]
  if (sessionId !== undefined) return ['session', sessionId]
  const authorization = sender.header?.('authorization')
  const cookie = sender.header?.('cookie') ?? null
  if (authorization !== undefined) return ['authorization', authorization, cookie]
  return sender.isLocal ? ['machine', cookie] : undefined
}

/** An anonymous caller, identified only by the handle that they were given. */
export function callerKeyWith(handle: string, sender: Sender): CallerKey {
  return ['handle', handle, sender.header?.('cookie') ?? null]
}

import type { Incoming } from '../call/incoming.js'

/** What a request shows of who sent it. */
export type Sender = Pick<Incoming, 'principal' | 'sessionId' | 'header' | 'isLocal'>

/** Someone, as every request of theirs shows them. */
export type CallerKey = readonly (string | null)[]

/**
 * What tells the sender of a request from everybody else; undefined for someone whom nothing tells apart. A cookie alone
 * does not: one that nobody checks may be the same for all. Beside something else it counts, since a gate before the tool
 * may have looked at it, and only who has the same one may go on with what that let through.
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

/** Someone whom nothing tells apart but a handle that they were given. */
export function callerKeyWith(handle: string, sender: Sender): CallerKey {
  return ['handle', handle, sender.header?.('cookie') ?? null]
}

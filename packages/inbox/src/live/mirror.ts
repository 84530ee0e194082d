// What the desk has confirmed and what this client did since, kept apart: its own echo confirms, what others did goes
// under what is pending, and a refusal drops. Pure, so that it can be tried with every order of events.
import type { Answer } from '@beckon/core'
import { type AskEntry, type AsksAction, type AsksState, reduceAsks } from '@beckon/core/asks'
import type { Envelope } from '@beckon/core/live'

/** Something a person did that the desk has not confirmed yet. */
export type PendingAction =
  | { readonly kind: 'draft'; readonly questionId: string; readonly answer: Answer }
  | {
      readonly kind: 'completion'
      readonly response: 'accept' | 'decline' | 'cancel'
      readonly answers?: Readonly<Record<string, Answer>>
      readonly reason?: string
      /** What an authenticator said to it. */
      readonly passkey?: object
    }

export interface Pending {
  readonly clientSeq: number
  readonly session: string
  readonly requestId: string
  /** When what they saw was asked: another ask may have the same name later. */
  readonly askedAt: number
  readonly action: PendingAction
  /** Whether it went out on the connection that is open now. */
  readonly isSent: boolean
}

export interface Mirror {
  readonly confirmed: AsksState
  /** The number of the last line that is in it. */
  readonly seq: number
  readonly pending: readonly Pending[]
}

export const emptyMirror: Mirror = { confirmed: { asks: [] }, seq: 0, pending: [] }

/** The asks as their person sees them: with drafts that are on their way. A completion shows when it is confirmed. */
export function viewOf({ confirmed, pending }: Mirror): AsksState {
  return pending.reduce((state, { session, requestId, action }) => {
    if (action.kind !== 'draft') return state
    const { questionId, answer } = action
    return reduceAsks(state, { type: 'asks/answerChanged', session, requestId, questionId, answer })
  }, confirmed)
}

/** Something was done here. A draft takes the place of an earlier one that has not gone out. */
export function did(mirror: Mirror, pending: Pending): Mirror {
  const left = mirror.pending.filter(earlier => earlier.isSent || !isOfSameDraft(earlier, pending))
  return { ...mirror, pending: [...left, pending] }
}

/** Something was told on the channel of all asks. What is known already changes nothing. */
export function heard(mirror: Mirror, { action, serverSeq, origin }: Envelope<AsksAction>, clientId: string): Mirror {
  const settled = origin?.clientId === clientId ? withoutPending(mirror, origin.clientSeq) : mirror
  if (serverSeq <= mirror.seq) return settled
  return { ...settled, confirmed: reduceAsks(mirror.confirmed, action), seq: serverSeq }
}

/** Something went out on the connection that is open. */
export function sent(mirror: Mirror, clientSeq: number): Mirror {
  const pending = mirror.pending.map(one => (one.clientSeq === clientSeq ? { ...one, isSent: true } : one))
  return { ...mirror, pending }
}

/** What was done here about one ask. */
export function pendingOf({ pending }: Mirror, session: string, requestId: string): Pending[] {
  return pending.filter(one => one.session === session && one.requestId === requestId)
}

/** The desk refused something. */
export function withoutPending(mirror: Mirror, clientSeq: number): Mirror {
  return { ...mirror, pending: mirror.pending.filter(pending => pending.clientSeq !== clientSeq) }
}

/** The whole state came anew. */
export function renewed(mirror: Mirror, confirmed: AsksState, seq: number): Mirror {
  return { confirmed, seq, pending: mirror.pending }
}

/** Where the desk stops counting. */
export const maxCount: number = 1_000

/** Asks that were read beside the first page are there, too; what is known of an ask stays. */
export function joined(mirror: Mirror, found: readonly AskEntry[], isAll = false): Mirror {
  const { asks, more = 0, ...rest } = mirror.confirmed
  const known = new Set(asks.map(({ session, request }) => keyOf(session, request.id)))
  const added = found.filter(({ session, request }) => !known.has(keyOf(session, request.id)))
  if (added.length === 0 && !(isAll && more > 0)) return mirror
  // Where counting stopped, there may be any number left.
  const left = isAll ? 0 : more < maxCount ? Math.max(0, more - added.length) : maxCount
  const all = [...asks, ...added].sort((a, b) => a.askedAt - b.askedAt)
  return { ...mirror, confirmed: { ...rest, asks: all, ...(left > 0 && { more: left }) } }
}

/** After a connection was lost: all that is pending goes out again, but for what the desk has or can never take. */
export function unsent(mirror: Mirror): Mirror {
  if (mirror.pending.length === 0) return mirror
  const open = new Map(
    mirror.confirmed.asks.filter(ask => !ask.ending).map(ask => [keyOf(ask.session, ask.request.id), ask.request]),
  )
  // The last draft of a question alone: with an earlier one, what the desk has by now would be taken back.
  const last = mirror.pending.filter(
    (one, index) => !mirror.pending.slice(index + 1).some(later => isOfSameDraft(one, later)),
  )
  const pending = last.filter(({ session, requestId, action }) => {
    const request = open.get(keyOf(session, requestId))
    if (request === undefined || action.kind === 'completion') return request !== undefined
    return JSON.stringify(request.answers?.[action.questionId]) !== JSON.stringify(action.answer)
  })
  return { ...mirror, pending: pending.map(one => ({ ...one, isSent: false })) }
}

/** Names an ask among those of a desk. */
export function keyOf(session: string, requestId: string): string {
  return `${session}/${requestId}`
}

function isOfSameDraft(one: Pending, other: Pending): boolean {
  return (
    one.session === other.session &&
    one.requestId === other.requestId &&
    one.action.kind === 'draft' &&
    other.action.kind === 'draft' &&
    one.action.questionId === other.action.questionId
  )
}

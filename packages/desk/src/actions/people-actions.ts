// What people do about an ask beside answering it: write a comment, and hand it to someone else. The live protocol has no words
// for that: these are ours, on the channel of the session.
//
// The threat: a call that is accepted by whom it was not for. Who called gets no ask by being handed one, and where they do not
// count hands none on, or they would choose who accepts in their place; who handed one on is out, with what they accepted, and gets it back from nobody; and no more people accept than would have.
import type { Refusal } from '@beckon/core/live'
import { handedTo, placeOf } from '../model/audience.js'
import type { Stamp } from '../model/events.js'
import type { Policy, StandIns } from '../model/policy.js'
import { findAsk } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'
import { lastSeenBy, mayAnswer, maySeeAsk, nobodyInParticular, type Viewer } from '../policy/audience.js'
import { askEnded, expired, readOnly } from '../policy/refusals.js'
import type { Decision } from '../sessions/sessions.js'

/** What was found out before an ask is handed on: whether there is such a person, and who stands in for them. */
export interface Receiver {
  readonly isKnown: boolean
  /** None of whom may be one of those given. */
  readonly standIns: (never: readonly (string | undefined)[]) => StandIns
}

/** Characters of one comment. */
export const maxCommentChars = 2_000
const maxComments = 50
/** An ask that nobody wants is declined at last. */
const maxHandedOn = 5
const maxNameChars = 500

type Fields = Readonly<Record<string, unknown>>

/** Whether an action is one of these. */
export function isPeopleAction(action: unknown): action is Fields {
  return isCommented(action) || isDelegated(action)
}

function isDelegated(action: unknown): action is Fields {
  return typeOf(action) === 'beckon/delegated'
}

/** Whom an action hands its ask to; undefined where it does not say so as it should. */
export function receiverIn(action: unknown): string | undefined {
  const to = isDelegated(action) ? action.to : undefined
  return typeof to === 'string' && to !== '' && to.length <= maxNameChars ? to : undefined
}

/** What such an action comes to, of someone who sees the session. */
export function decidePeopleAction(
  session: Session,
  viewer: Viewer,
  action: Fields,
  { stamp, receiver }: { readonly stamp: Stamp; readonly receiver?: Receiver | undefined },
): Decision {
  const { requestId } = action
  if (typeof requestId !== 'string') return { refused: invalid('requestId', 'the id of a request') }
  const ask = findAsk(session, requestId)
  if (ask === undefined || !maySeeAsk(ask.policy, viewer))
    return { refused: ask && lastSeenBy(ask, viewer) ? askEnded : { code: 'ask-not-found' } }
  // What clients call their own actions is answered apart: nobody else is told of it under that name.
  const { origin: _, ...by } = stamp
  return isCommented(action)
    ? comment(ask, action.text, by)
    : delegate(session, ask, { viewer, to: receiverIn(action), stamp: by, receiver })
}

function comment({ id: ask, comments = [] }: Ask, text: unknown, stamp: Stamp): Decision {
  if (typeof text !== 'string' || text.trim() === '')
    return { refused: invalid('text', 'a string that says something') }
  if (text.length > maxCommentChars) return { refused: { code: 'comment-too-long', params: { max: maxCommentChars } } }
  if (comments.length >= maxComments) return { refused: { code: 'too-many-comments', params: { max: maxComments } } }
  return { events: [{ ...stamp, type: 'commented', ask, text }] }
}

interface Delegation {
  readonly viewer: Viewer
  readonly to: string | undefined
  readonly stamp: Stamp
  readonly receiver: Receiver | undefined
}

function delegate(session: Session, ask: Ask, { viewer, to, stamp, receiver }: Delegation): Decision {
  const { id, policy, ending } = ask
  if (ending !== undefined) return { refused: ending.isExpired ? expired : askEnded }
  if (!mayAnswer(policy, viewer)) return { refused: readOnly }
  if (stamp.at >= policy.expiresAt) return { refused: expired }
  if (viewer.principal === nobodyInParticular) return { refused: { code: 'person-unknown' } }
  if (to === undefined) return { refused: invalid('to', `a principal of at most ${maxNameChars} characters`) }
  if (viewer.principal === policy.requester) return { refused: { code: 'own-request' } }
  const { isKnown = false, standIns: find = () => ({}) } = receiver ?? {}
  const callers = [policy.requester, session.owner].filter(name => isRequester(session, policy, name))
  const standIns = allowedAmong(find(callers), session, policy, viewer.principal)
  const why = reasonAgainst(session, policy, { giver: viewer.principal, to, isKnown })
  if (why !== undefined) return { refused: { code: 'cannot-delegate', params: { why } } }
  const more = Object.keys(standIns).length > 0 && { standIns }
  return { events: [{ ...stamp, type: 'delegated', ask: id, to, ...more }] }
}

type Why = 'self' | 'requester' | 'personal' | 'unseen' | 'returned' | 'quorum' | 'too-often'

function reasonAgainst(
  session: Session,
  policy: Policy,
  { giver, to, isKnown }: { readonly giver: string; readonly to: string; readonly isKnown: boolean },
): Why | undefined {
  const { owner, handedOn = [] } = policy
  if (owner !== undefined) return 'personal'
  if (to === giver) return 'self'
  if (isRequester(session, policy, to)) return 'requester'
  if (handedOn.includes(to)) return 'returned'
  if (!isKnown || to === nobodyInParticular) return 'unseen'
  if (handedOn.length >= maxHandedOn) return 'too-often'
  return isOutOfReach(handedTo(policy, giver, { to })) ? 'quorum' : undefined
}

/** The caller, unless they were asked themselves. */
function isRequester({ owner }: Session, { requester, audience }: Policy, principal: string | undefined): boolean {
  if (principal === undefined) return false
  if (principal === requester) return true
  return principal === owner && audience !== undefined && !audience.principals?.includes(principal)
}

function allowedAmong(standIns: StandIns, session: Session, policy: Policy, giver: string): StandIns {
  const { handedOn = [], audience } = policy
  const isAllowed = (name: string) =>
    name !== giver &&
    !handedOn.includes(name) &&
    !audience?.principals?.includes(name) &&
    !isRequester(session, policy, name)
  return Object.fromEntries(Object.entries(standIns).filter(([name]) => isAllowed(name)))
}

/** Whether fewer people are left than have to accept. Of a group, nobody can say. */
function isOutOfReach(policy: Policy): boolean {
  const { quorum = 1, audience, requester } = policy
  if (audience === undefined || (audience.groups ?? []).length > 0) return false
  const people = (audience.principals ?? []).filter(principal => principal !== requester)
  return new Set(people.map(principal => placeOf(policy, principal))).size < quorum
}

function isCommented(action: unknown): action is Fields {
  return typeOf(action) === 'beckon/commented'
}

function typeOf(action: unknown): unknown {
  return typeof action === 'object' && action !== null ? (action as Fields).type : undefined
}

function invalid(field: string, expected: string): Refusal {
  return { code: 'action-invalid', params: { field, expected } }
}

// Random lives of a session, event by event, as a desk could have written them.
import type { Answer } from '@beckon/core'
import fc from 'fast-check'
import type { Actor, SessionEvent } from '../src/model/events.js'
import type { Happened } from '../src/model/happened.js'
import type { Audience } from '../src/model/policy.js'
import { reduce } from '../src/model/reduce.js'
import type { Ask, Session } from '../src/model/session.js'
import type { Person } from '../src/policy/audience.js'

/** In every audience, first or later. */
export const everywhere: Person = { principal: 'eve' }
/** In some. */
export const somewhere: Person = { principal: 'bob', groups: ['finance'] }
/** In none but that of all. */
export const nowhere: Person = { principal: 'mallory' }

const audiences: readonly (Audience | undefined)[] = [
  undefined,
  { principals: ['eve'] },
  { principals: ['eve', 'bob'] },
  { principals: ['eve', 'alice'] },
  { principals: ['eve'], groups: ['finance'] },
]
const actors: readonly (Actor | undefined)[] = [
  undefined,
  { principal: 'eve', device: 'phone' },
  { principal: 'bob', device: 'desk' },
]
const answers: readonly (Answer | undefined)[] = [
  undefined,
  { state: 'draft', value: { kind: 'text', value: 'a' } },
  { state: 'submitted', value: { kind: 'text', value: 'b' } },
  { state: 'skipped' },
]
const kinds = [
  'title',
  'mark',
  'turn',
  'turn',
  'endTurn',
  'truncate',
  'ask',
  'ask',
  'ask',
  'draft',
  'draft',
  'approve',
  'disapprove',
  'end',
  'end',
  'escalate',
  'escalate',
  'delegate',
  'delegate',
  'comment',
  'report',
  'remind',
  'await',
] as const

export interface ScriptStep {
  readonly kind: (typeof kinds)[number]
  readonly afterMs: number
  /** What is chosen, of whatever there is to choose from. */
  readonly choices: readonly number[]
}

export function scripts(without: readonly ScriptStep['kind'][] = []): fc.Arbitrary<ScriptStep[]> {
  const step = fc.record({
    kind: fc.constantFrom(...kinds.filter(kind => !without.includes(kind))),
    afterMs: fc.nat({ max: 3 }),
    choices: fc.array(fc.nat({ max: 59 }), { minLength: 5, maxLength: 5 }),
  })
  return fc.array(step, { maxLength: 40, size: 'max' })
}

/**
 * A session that was just made, and what happens to it. A step that makes no sense begins what it needs, a turn or an ask, or
 * does nothing.
 */
export function play(steps: readonly ScriptStep[]): { readonly first: Session; readonly happened: Happened[] } {
  let at = 1_000_000
  const created: SessionEvent = { type: 'created', at, id: 's', title: 'Session', server: 'shop' }
  const first = reduce(undefined, created) as Session
  const happened: Happened[] = []
  let session = first
  for (const [index, { kind, afterMs, choices }] of steps.entries()) {
    at += afterMs
    const event = eventFor(session, { kind, choices, at, name: `${index}` })
    if (event === undefined) continue
    const after = reduce(session, event) as Session
    happened.push({ id: 's', event, before: session, after })
    session = after
  }
  return { first, happened }
}

interface Choice {
  readonly kind: ScriptStep['kind']
  readonly choices: readonly number[]
  readonly at: number
  /** That nothing else has. */
  readonly name: string
}

function eventFor(session: Session, { kind, choices, at, name }: Choice): SessionEvent | undefined {
  const [a = 0, b = 0, , , e = 0] = choices
  const { activeTurn } = session
  const ask = of([...session.open.values()], a)
  const by = of(actors, e)
  const stamp = { at, ...(by && { by }) }
  switch (kind) {
    case 'title':
      return { ...stamp, type: 'titleChanged', title: `Title ${a % 3}` }
    case 'mark':
      return { ...stamp, type: 'marked', mark: a % 3 === 0 ? 'isArchived' : 'isRead', value: b % 3 > 0 }
    case 'endTurn': {
      if (activeTurn === undefined || a % 2 === 0) return undefined
      const state = of(['complete', 'cancelled', 'error'] as const, b) ?? 'complete'
      const error = state === 'error' && { error: { errorType: 'E', message: 'broke' } }
      return { ...stamp, type: 'turnEnded', turn: activeTurn.id, state, ...error }
    }
    case 'report':
      return { at, type: 'reported', status: a % 2 === 0 ? 'done' : 'failed', ...(b % 2 === 0 && { text: 'So.' }) }
    case 'truncate': {
      if (a % 3 > 0) return undefined
      const turn = of([undefined, ...session.turns.map(({ id }) => id)], b)
      return { ...stamp, type: 'truncated', ...(turn !== undefined && { turn }) }
    }
  }
  if (activeTurn === undefined) return { ...stamp, type: 'turnStarted', turn: `t${name}`, message: { text: 'go' } }
  if (ask !== undefined && kind !== 'ask' && kind !== 'turn') return eventOfAsk(ask, { kind, choices, at, name }, stamp)
  return asked(session, { kind, choices, at, name })
}

function asked({ open }: Session, { choices, at, name }: Choice): SessionEvent | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = choices
  const id = `r${a % 4}`
  if (open.has(id)) return undefined
  const audience = of(audiences, b)
  const answer = of(answers, c)
  return {
    at,
    type: 'asked',
    request: { id, message: `Sure ${name}?`, ...(answer && { answers: { q1: answer } }) },
    policy: {
      expiresAt: at + 1_000,
      ...(audience && { audience }),
      ...(d % 3 === 0 && { quorum: 2 }),
      ...(d % 7 === 0 && { owner: 'eve' }),
    },
    instance: `i${name}`,
    digest: 'd',
    bytes: 0,
    node: 'n1',
  }
}

function eventOfAsk(
  { id: ask, policy, formers }: Ask,
  { kind, choices, at }: Choice,
  stamp: { at: number; by?: Actor },
): SessionEvent | undefined {
  const [, b = 0, c = 0, d = 0] = choices
  const answer = of(answers, c)
  switch (kind) {
    case 'draft':
      return { ...stamp, type: 'drafted', ask, question: `q${b % 3}`, ...(answer && { answer }) }
    case 'approve':
      return { ...stamp, type: 'approved', ask, digest: 'd' }
    case 'disapprove':
      return { ...stamp, type: 'approvalWithdrawn', ask }
    case 'end': {
      const response = of(['accept', 'decline', 'cancel'] as const, b) ?? 'cancel'
      const given = answer && response === 'accept' && { answers: { q1: answer } }
      const reason = response === 'decline' && d % 2 === 0 && { reason: 'No.' }
      const expired = stamp.by === undefined && response === 'cancel' && d % 2 === 0 && { isExpired: true as const }
      return { ...stamp, type: 'askEnded', ask, response, ...given, ...reason, ...expired }
    }
    case 'escalate': {
      const audience = of(audiences, b)
      if (audience === undefined || formers !== undefined || policy.owner !== undefined) return undefined
      return { at, type: 'escalated', ask, audience }
    }
    case 'delegate': {
      const giver = of(['bob', 'alice', 'carl'], b) ?? 'bob'
      const to = of(['bob', 'carl', 'dora'], c) ?? 'bob'
      const { owner, handedOn = [], audience } = policy
      const isAsked = audience?.principals?.includes(giver) ?? true
      // Whoever gets back what was once for them has seen it twice, and sees it once when they look anew.
      const isBack = [...(formers ?? []), policy].some(
        ({ audience: was }) => !was || was.groups || was.principals?.includes(to),
      )
      if (owner !== undefined || giver === to || !isAsked || isBack || handedOn.includes(giver)) return undefined
      return { at, by: { principal: giver, device: 'desk' }, type: 'delegated', ask, to }
    }
    case 'comment':
      return { ...stamp, type: 'commented', ask, text: `Hm ${b % 3}.` }
    case 'remind':
      return { at, type: 'reminded', ask, dueAt: at - (b % 3) }
    case 'await':
      return { at, type: 'awaited', ask, node: `n${b % 2}` }
    default:
      return undefined
  }
}

function of<T>(list: readonly T[], choice: number): T | undefined {
  return list[choice % list.length]
}

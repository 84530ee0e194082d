// Calls of a server whose clients cannot ask: one session and one turn for each, from its first ask on.
import { randomUUID } from 'node:crypto'
import type { DeskCall, DeskPlace } from 'beckon/desk/adapter'
import type { SessionEvent } from '../model/events.js'
import type { Policy } from '../model/policy.js'
import { reduce } from '../model/reduce.js'
import type { Session } from '../model/session.js'
import type { Decision } from '../sessions/sessions.js'
import { createSession, endTurn, openAsk, startTurn } from './decisions.js'
import { type LiveRequest, questionsWithDrafts } from './request.js'
import { type AskOutcome, openAndWait, type TurnDeps } from './turn.js'

type Ask = Parameters<DeskPlace['ask']>[1]
type Ending = Awaited<ReturnType<DeskPlace['ask']>>

export interface AttendOptions {
  /** Where a person finds a session. */
  readonly linkTo: (session: string) => string
  /** Whether the desk knows its people: then a call's asks are for its principal alone. */
  readonly identifiesPeople: boolean
}

export function attend(deps: TurnDeps, call: DeskCall, { linkTo, identifiesPeople }: AttendOptions): DeskPlace {
  const { sessions, now, node, maxOpen } = deps
  const { id, server, tool, input, principal, destructive } = call
  const session = `call-${id}`
  const warning = destructive === true && { 'beckon/destructive': true }
  const about = { 'beckon/tool': tool, 'beckon/arguments': input, ...warning }
  const owner = identifiesPeople && principal !== undefined ? principal : undefined
  const newSession = { id: session, title: tool, server, isCall: true } as const
  const newTurn = randomUUID()

  /** A process that goes on with the call finds the session and the turn that another began. */
  function decide(known: Session | undefined, ask: Parameters<typeof openAsk>[2]): Decision {
    const at = now()
    const events: SessionEvent[] = [...(createSession(known, newSession, { at }).events ?? [])]
    const isThere = known?.open.has(ask.request.id) || known?.ended.some(ended => ended.id === ask.request.id)
    if (known?.activeTurn === undefined && !isThere)
      events.push(...(startTurn(events.reduce(reduce, known), newTurn, tool, { at }).events ?? []))
    const state = events.reduce(reduce, known)
    if (state?.activeTurn === undefined) return {}
    const decision = openAsk(state, state.activeTurn.id, ask, { at })
    return decision.refused === undefined ? { events: [...events, ...(decision.events ?? [])] } : decision
  }

  return {
    link: linkTo(session),
    async ask(askId, ask, { expiresAt, signal }) {
      const request = { ...requestOf(ask), id: `${id}.${askId}`, _meta: { ...about, ...askerOf(ask) } }
      const policy = { expiresAt, ...whoMayAnswer(ask, owner) }
      const opening = { request, policy, node, maxOpen }
      return endingOf(await openAndWait(deps, session, { request, signal, decide: known => decide(known, opening) }))
    },
    async leave(how) {
      const state = how === 'complete' ? 'complete' : 'cancelled'
      await sessions.change(session, known => endTurn(known, undefined, { state }, { at: now() }))
    },
  }
}

/** A page that someone is sent to is about who they are: nobody else may go there for them. */
function whoMayAnswer(ask: Ask, owner: string | undefined): Pick<Policy, 'owner' | 'audience'> {
  if (owner === undefined) return {}
  return ask.kind === 'url' ? { owner } : { audience: { principals: [owner] } }
}

/** An application behind the server, say. */
function askerOf(ask: Ask): object {
  return 'asker' in ask && ask.asker !== undefined ? { 'beckon/asker': ask.asker } : {}
}

function requestOf(ask: Ask): Pick<LiveRequest, 'message' | 'url'> & ReturnType<typeof questionsWithDrafts> {
  switch (ask.kind) {
    case 'confirm':
      return { message: ask.message }
    case 'form':
      return { message: ask.message, ...questionsWithDrafts(ask.form) }
    case 'url':
      return { message: ask.message, url: ask.url }
    default:
      throw new TypeError(`A desk cannot open "${ask.kind}": it is for a client, not for a person.`)
  }
}

function endingOf(outcome: AskOutcome): Ending {
  switch (outcome.action) {
    case 'accept':
      return { kind: 'outcome', outcome: { action: 'accept', content: outcome.content } }
    case 'decline':
      return {
        kind: 'outcome',
        outcome: { action: 'decline', ...(outcome.reason !== undefined && { reason: outcome.reason }) },
      }
    default:
      return outcome.isExpired ? { kind: 'expired' } : { kind: 'outcome', outcome: { action: 'cancel' } }
  }
}

// Calls of a server whose clients cannot ask: one session and one turn for each.
import type { DeskCall, DeskPlace } from 'beckon'
import type { Policy } from './policy.js'
import { type LiveRequest, questionsWithDrafts } from './request.js'
import type { DeskSession } from './session.js'
import type { AskOptions, AskOutcome } from './turn.js'

type Ask = Parameters<DeskPlace['ask']>[1]
type Ending = Awaited<ReturnType<DeskPlace['ask']>>

export interface AttendOptions {
  readonly session: (id: string, options: { title: string; server: string; isCall: true }) => Promise<DeskSession>
  /** Where a person finds a session. */
  readonly linkTo: (session: string) => string
  /** Whether the desk tells people apart: then a call's asks are for its principal alone. */
  readonly tellsApart: boolean
  readonly now: () => number
}

export async function attend(call: DeskCall, { session, linkTo, tellsApart, now }: AttendOptions): Promise<DeskPlace> {
  const { id, server, tool, input, principal, destructive } = call
  const place = await session(`call-${id}`, { title: tool, server, isCall: true })
  // A process that goes on with the call finds the turn that another began.
  const turn = place.activeTurn() ?? (await place.startTurn(tool))
  const warning = destructive === true && { 'beckon/destructive': true }
  const about = { 'beckon/tool': tool, 'beckon/arguments': input, ...warning }
  const owner = tellsApart && principal !== undefined ? principal : undefined
  return {
    link: linkTo(place.id),
    async ask(askId, ask, { expiresAt, signal }) {
      const request = { ...requestOf(ask), id: `${id}.${askId}`, _meta: { ...about, ...askerOf(ask) } }
      const timing = { timeoutMs: expiresAt - now(), signal }
      return endingOf(await turn.ask(request, { ...timing, ...whoMayAnswer(ask, owner) }))
    },
    leave: how => turn[how](),
  }
}

/** A page that someone is sent to is about who they are: nobody else may go there for them. */
function whoMayAnswer(ask: Ask, owner: string | undefined): AskOptions & Pick<Policy, 'audience'> {
  if (owner === undefined) return {}
  return ask.kind === 'url' ? { owner } : { audience: { principals: [owner] } }
}

/** An application behind the server, say. */
function askerOf(ask: Ask): object {
  return 'asker' in ask && ask.asker !== undefined ? { 'beckon/asker': ask.asker } : {}
}

function requestOf(ask: Ask): Pick<LiveRequest, 'message' | 'url' | 'questions' | 'answers'> {
  switch (ask.kind) {
    case 'confirm':
      return { message: ask.message }
    case 'form':
      return { message: ask.message, ...questionsWithDrafts(ask.form) }
    case 'url':
      return { message: ask.message, url: ask.url }
    default:
      throw new TypeError(`A desk cannot put "${ask.kind}": it is for a client, not for a person.`)
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

// Asks of programs: those of servers, hosts and scripts. Each opens in the session of its call, with one write.
import { randomUUID } from 'node:crypto'
import { showMeta } from '@beckon/core/blocks'
import type { InputRequest } from '@beckon/core/chat'
import type { Refusal } from '@beckon/core/live'
import { type WidgetOnDesk, widgetMeta } from '@beckon/core/widgets'
import type { AskDesk, AskSubject, DeskPolicy, DeskRequest, OpenedAsk } from 'beckon/desk/adapter'
import { tokenOfCaller, tokensOfAsker } from '../index/tokens.js'
import type { SessionEvent } from '../model/events.js'
import type { Audience, Policy } from '../model/policy.js'
import { findAsk, reduce } from '../model/reduce.js'
import type { Session } from '../model/session.js'
import { withStandIns } from '../people/absences.js'
import { otherContent, RefusedError } from '../policy/refusals.js'
import type { Ruling } from '../rules/decide.js'
import type { Decision } from '../sessions/sessions.js'
import type { WidgetPages } from '../widgets/widget-pages.js'
import { answerByRule, callOf, isRuled, routedBy, unchangedAnswers } from './by-rule.js'
import {
  callPrefix,
  digestOfAsk,
  isSessionName,
  type NewSession,
  openAsk,
  reportCall,
  sessionCreated,
  turnStarted,
  withdrawAsk,
} from './decisions.js'
import { questionsWithDrafts } from './request.js'
import { checkPasskeys, outcomeOf, policyFrom, type SignEnding, type TurnDeps } from './turn.js'

export interface OpenOptions {
  /** Where a person finds an ask. */
  readonly linkTo: (session: string, ask: string) => string
  /** Whether the desk knows its people: then, unless told otherwise, an ask is for the principal who called. */
  readonly identifiesPeople: boolean
  /** Those whom the desk has never let in, and groups that nobody was seen in, as `group ops`. */
  readonly unseen?: (audience: Audience) => Promise<string[]>
  /** Where the pages of widgets are kept; without, asks are plain forms. */
  readonly widgets?: Pick<WidgetPages, 'keep'>
}

type Terms = Parameters<AskDesk['open']>[2]

/** Opens an ask, unless it is there. */
export async function openOnDesk(
  deps: TurnDeps,
  [subject, request, { policy, expiresAt }]: readonly [AskSubject, DeskRequest, Terms],
  { linkTo, identifiesPeople, unseen: findUnseen = async () => [], widgets }: OpenOptions,
): Promise<OpenedAsk> {
  const { sessions, now, node, limits, quota } = deps
  const { call = request.id, tool, server, title = tool ?? server } = subject
  const session = `${callPrefix}${call}`
  if (!isSessionName(session)) throw new RefusedError(badName)
  if (policy?.person === 'verified') checkPasskeys(deps)
  const widget = request.widget && (await widgets?.keep(subject.server, request.widget, expiresAt))
  const asked = inputRequest(subject, request, widget)
  const owner = identifiesPeople ? subject.principal : undefined
  // A page is another with every version of what makes it, and the ask the same.
  const same = widget && inputRequest(subject, request, { ...widget, page: '' })
  const digest = digestOfAsk(same ?? asked, subject.principal, policy)
  const terms = { owner, expiresAt, now: now() }
  const given = policyOf(request, policy, terms)
  const ruling = isRuled(subject, request) ? await deps.rules.rulingOn(callOf(subject), given) : undefined
  const routed = ruling && 'general' in ruling && ruling.general.effect === 'ask' ? ruling.general : undefined
  const asking = routed === undefined ? given : policyOf(request, routedBy(routed, policy), terms)
  const kept = await withStandIns(asking, deps.absences, owner)
  const caller = tokenOfCaller(subject.principal)
  const ask = { request: asked, policy: kept, digest, node, limits, caller, rule: routed?.id }
  const sign = ruling === undefined || routed !== undefined ? undefined : await deps.signer?.()
  const unchanged = ruling && unchangedAnswers(request, subject.input)
  const turn = { id: randomUUID(), text: title }
  const opening = {
    session: { id: session, title, server, isCall: true, owner },
    turn,
    ask,
    ruling,
    sign,
    unchanged,
  } as const
  const change = () => sessions.change(session, known => decide(known, opening, now()))
  const isThere = async () => findAsk((await sessions.load(session)) ?? nothing, asked.id) !== undefined
  const settled = await quota.within(tokensOfAsker(server, caller), { isThere, change })
  if (settled.kind === 'refused') throw new RefusedError(settled)
  const { owner: whose, audience } = ask.policy
  // It is open, whether or not anybody can say who was here.
  const unseen = await findUnseen(whose === undefined ? (audience ?? {}) : { principals: [whose] }).catch(() => [])
  return {
    id: request.id,
    expiresAt: settled.session?.open.get(asked.id)?.policy.expiresAt ?? expiresAt,
    link: linkTo(session, asked.id),
    isEnded: settled.session?.open.has(asked.id) !== true,
    ...(unseen.length > 0 && { unseen }),
    outcome: signal => outcomeOf(deps, session, asked.id, signal),
    async withdraw() {
      await sessions.change(session, known => withdrawAsk(known, asked.id, { at: now() }))
    },
    async report(what) {
      await sessions.change(session, known => reportCall(known, asked.id, what, { at: now() }))
    },
  }
}

const nothing: Pick<Session, 'open' | 'ended' | 'activeTurn'> = { open: new Map(), ended: [] }

const badName: Refusal = {
  code: 'request-invalid',
  params: {
    detail: "The id of a call has letters, digits and . _ ~ : @ ! $ & ' ( ) * + , ; = -, and at most 195 of them.",
  },
}

interface Opening {
  readonly session: NewSession
  readonly turn: { readonly id: string; readonly text: string }
  readonly ask: Parameters<typeof openAsk>[2]
  readonly ruling: Ruling | undefined
  readonly sign: SignEnding | undefined
  readonly unchanged: ReturnType<typeof unchangedAnswers>
}

/** A process that goes on with a call finds what another began. */
function decide(known: Session | undefined, opening: Opening, at: number): Decision {
  const { session, turn, ask, ruling, sign, unchanged } = opening
  // Names of calls are per asker: a session that is somebody else's is not this call's.
  if (known !== undefined && (!known.isCall || known.server !== session.server)) return { refused: otherContent }
  const existing = known && findAsk(known, ask.request.id)
  if (existing !== undefined) return existing.digest === ask.digest ? {} : { refused: otherContent }
  const { open, ended, activeTurn = { id: turn.id } } = known ?? nothing
  const opened = openAsk({ open, ended, activeTurn }, activeTurn.id, ask, { at })
  if (opened.refused !== undefined) return opened
  const events: SessionEvent[] = known === undefined ? [sessionCreated(session, { at })] : []
  if (known?.activeTurn === undefined) events.push(turnStarted(turn.id, turn.text, { at }))
  events.push(...(opened.events ?? []))
  if (ruling === undefined) return { events }
  // What rules say is decided of the ask as it is open.
  const state = events.reduce(reduce, known)
  const ruled = state ? answerByRule(state, ask.request.id, { ruling, unchanged, at, sign }) : []
  return { events: [...events, ...ruled] }
}

function inputRequest(
  subject: AskSubject,
  { id, message, show = [], form, url, approves }: DeskRequest,
  widget: WidgetOnDesk | undefined,
): InputRequest {
  const { call, tool, input, destructive, readOnly, asker } = subject
  const about = {
    ...(tool !== undefined && { 'beckon/tool': tool }),
    ...(input !== undefined && { 'beckon/arguments': input }),
    ...(destructive === true && { 'beckon/destructive': true }),
    ...(readOnly === true && { 'beckon/readOnly': true }),
    ...(asker !== undefined && { 'beckon/asker': asker }),
    ...(approves === true && { 'beckon/approves': true }),
    ...(show.length > 0 && { [showMeta]: show }),
    ...(widget !== undefined && { [widgetMeta]: widget }),
  }
  return {
    // An ask has a name of its own over all sessions.
    id: call === undefined ? id : `${call}.${id}`,
    message,
    ...(form !== undefined && questionsWithDrafts(form)),
    ...(url !== undefined && { url }),
    ...(Object.keys(about).length > 0 && { _meta: about }),
  }
}

/** A page that someone is sent to is about who they are: nobody else may go there for them. */
function policyOf(
  { url }: DeskRequest,
  policy: DeskPolicy = {},
  { owner, expiresAt, now }: { owner: string | undefined; expiresAt: number; now: number },
): Policy {
  if (owner === undefined) return policyFrom(policy, { now, expiresAt })
  if (url !== undefined) return policyFrom(policy, { now, expiresAt, owner })
  const asked = policyFrom(policy, { now, expiresAt, requester: owner })
  // Who called is asked where nobody else is, and does not make a quorum.
  const isForOthers = asked.audience !== undefined || asked.quorum !== undefined
  return isForOthers ? asked : { ...asked, audience: { principals: [owner] } }
}

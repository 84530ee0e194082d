// One ask to the person of a call: over which wire, and what becomes of it when no person can have given the answer.
import { type AnsweredBy, ElicitationNotAvailableError } from '@beckon/core'
import type { Ending, PersonAsk, WireName } from '../call/ask.js'
import { asksOthers } from '../call/ask-policy.js'
import type { Call } from '../call/call.js'
import type { AskOptions } from '../call/call-options.js'
import { readingFloorMs } from '../person/reading-floor.js'
import { type PersonRule, personCheck, takesPasskey, wantsPerson } from '../person/rule.js'
import { answersItself, elicitationModes, showsViews } from '../protocol/capabilities.js'
import type { AskSettings } from './ask-person.js'
import type { Fallback } from './context.js'
import { withReceipt } from './receipts.js'
import { sendVerified } from './send-verified.js'

/** What an author says about one ask. */
export interface AskTerms {
  readonly key?: string | undefined
  /** Default: by where it goes. */
  readonly timeoutMs?: number | undefined
  readonly fallback?: Fallback | undefined
  readonly person?: PersonRule | undefined
  readonly isConfirm?: boolean
  /** A reply that the client sent before it was asked, where that may count. */
  readonly unasked?: AskOptions['unasked']
}

/** Where an ask goes: over a wire, or to nobody. */
type Way = { readonly wire: WireName; readonly isRelayed?: true } | 'no-person' | 'no-capability'

/** Asks, and gives what counts of what comes back. It fails with `ElicitationNotAvailableError` where nobody can be asked. */
export function sendAsk(call: Call, settings: AskSettings, ask: PersonAsk, terms: AskTerms): Promise<Ending> {
  const { receipts, subject } = settings
  if (!receipts.signsAll && !takesPasskey(terms.person, settings.person)) return send(call, settings, ask, terms)
  const position = call.asked
  const asked = receipts.signsAll ? { ...ask, receipt: true as const } : ask
  return send(call, settings, asked, terms).then(ending =>
    withReceipt(ending, { call, receipts, subject, ask, position }),
  )
}

function send(call: Call, settings: AskSettings, ask: PersonAsk, terms: AskTerms): Promise<Ending> {
  if (ask.kind !== 'url' && takesPasskey(terms.person, settings.person)) return sendVerified(call, settings, ask, terms)
  const mode = modeOf(ask)
  const isForOthers = asksOthers(ask.policy ?? {})
  const hasWidget = ask.kind === 'form' && ask.widget !== undefined
  const way = wayFor(call, settings, mode, terms, { isForOthers, hasWidget })
  if (way === 'no-capability') return Promise.resolve({ kind: 'failed', error: new ElicitationNotAvailableError(mode) })
  if (way === 'no-person') return Promise.resolve(missedBy(call))
  const { key, unasked } = terms
  const { wire } = way
  const timeoutMs = timeoutFor(wire, settings, terms)
  const floorMs = wire === 'desk' ? undefined : floorFor(call, settings, ask, terms)
  const ending = call.ask(forPerson(ask, settings, terms), { key, timeoutMs, wire, unasked, floorMs })
  // Where nothing can be discounted nothing is wrapped, for a suspended call to hold.
  return floorMs === undefined && call.principal === undefined
    ? ending
    : ending.then(given => afterAll(given, { call, settings, ask, terms, way }))
}

/** Over which wire an ask goes: the client's own, the desk, or, where that may be, the model. Undefined when nobody can be asked. */
export function wireFor(
  call: Call,
  settings: AskSettings,
  mode: 'form' | 'url',
  terms: AskTerms & AskKind = {},
): WireName | undefined {
  const way = wayFor(call, settings, mode, terms, terms)
  return typeof way === 'string' ? undefined : way.wire
}

/** What of an ask decides where it can go. */
interface AskKind {
  /** Others than who called are asked, and those are on the desk. */
  readonly isForOthers?: boolean
  /** A widget shows it. */
  readonly hasWidget?: boolean
}

/** How long an ask is open: as its author says, or else longer where nobody has to stay for it. */
function timeoutFor(wire: WireName, { expiryMs }: AskSettings, { timeoutMs }: AskTerms): number {
  const isDurable = wire === 'desk' || wire === 'tasks'
  return timeoutMs ?? (isDurable ? expiryMs.durable : expiryMs.client)
}

function wayFor(
  call: Call,
  settings: AskSettings,
  mode: 'form' | 'url',
  terms: AskTerms,
  { isForOthers, hasWidget }: AskKind,
): Way {
  if (isForOthers) return settings.hasDesk ? { wire: 'desk' } : 'no-capability'
  const fallback = terms.fallback ?? settings.fallback
  const check = personCheck(terms.person, settings.person)
  if (call.clientWire !== undefined && elicitationModes(call.peer, settings.quirks)?.[mode]) {
    const isNobody = check !== undefined && answersItself(call.peer, settings.quirks)
    return isNobody ? nextInLine(settings, fallback) : { wire: call.clientWire }
  }
  // Its host shows the view of the tool, and so the widget, with the result.
  if (hasWidget && settings.hasView && call.endsRounds && showsViews(call.peer.capabilities))
    return { wire: 'rounds', isRelayed: true }
  if (fallback === 'desk') return settings.hasDesk ? { wire: 'desk' } : 'no-capability'
  // A model could answer for the person: a confirm is relayed only where the author says so for this very one, and nothing
  // is where the author wants a person for it.
  const isRelayed = fallback === 'relay' && (terms.fallback !== undefined || !terms.isConfirm)
  if (!isRelayed || !call.endsRounds) return 'no-capability'
  return terms.person === undefined || terms.person === 'unchecked' ? { wire: 'rounds', isRelayed } : 'no-person'
}

/** Where an ask goes whose client has nobody in front of it: to the desk, and never to the model. */
function nextInLine({ hasDesk }: AskSettings, fallback: Fallback): Way {
  return fallback === 'desk' && hasDesk ? { wire: 'desk' } : 'no-person'
}

/** How long an answer of the client does not count; undefined where any does, or where a person of this call was there before. */
function floorFor(call: Call, settings: AskSettings, ask: PersonAsk, { person }: AskTerms): number | undefined {
  const check = personCheck(person, settings.person)
  if (check === undefined || call.peer.isAttended || wasThere(call)) return undefined
  return check.floorMs ?? readingFloorMs(ask)
}

/** Who has answered one ask of a call in their own time may be quick with the next. */
function wasThere({ journal }: Call): boolean {
  return journal.entries.some(
    entry => entry.kind === 'ask' && entry.reply.kind === 'outcome' && entry.reply.afterFloor === true,
  )
}

interface Sent {
  readonly call: Call
  readonly settings: AskSettings
  readonly ask: PersonAsk
  readonly terms: AskTerms
  readonly way: Exclude<Way, string>
}

function afterAll(given: Ending, sent: Sent): Ending | Promise<Ending> {
  if (given.kind === 'discounted') return askNext(sent)
  const { principal } = sent.call
  if (given.kind !== 'outcome' || sent.way.isRelayed || principal === undefined) return given
  const { by = [{ principal }] } = given.outcome
  return { ...given, outcome: { ...given.outcome, by: by.map(one => throughClientOf(principal, one)) } }
}

/** What came with a request of the very person that the call is for is theirs, no matter who their client says that it was. */
function throughClientOf(principal: string, by: AnsweredBy): AnsweredBy {
  return 'name' in by && by.name !== undefined ? { name: by.name, principal: by.principal ?? principal } : by
}

/** The answer does not count: the next in line is asked the same, under a name of its own. */
function askNext({ call, settings, ask, terms }: Sent): Ending | Promise<Ending> {
  const way = nextInLine(settings, terms.fallback ?? settings.fallback)
  if (typeof way === 'string') return missedBy(call)
  const { wire } = way
  return call.ask(forPerson(ask, settings, terms), {
    key: terms.key,
    timeoutMs: timeoutFor(wire, settings, terms),
    wire,
  })
}

/** A desk has rules that answer for people: not where the author wants a person. Said on every wire, since an ask may move to the desk. */
function forPerson(ask: PersonAsk, settings: AskSettings, { person }: AskTerms): PersonAsk {
  return ask.kind === 'confirm' && wantsPerson(person, settings.person) ? { ...ask, person: 'present' } : ask
}

function missedBy(call: Call): Ending {
  call.missedPerson = true
  return { kind: 'outcome', outcome: { action: 'cancel', why: 'no-person' } }
}

function modeOf({ kind }: PersonAsk): 'form' | 'url' {
  return kind === 'url' ? 'url' : 'form'
}

// The verbs behind `ctx.confirm` and `ctx.elicit`: one ask, its answer checked, and asked again where it does not fit.
import {
  type AnswerOf,
  AskExpiredError,
  type AskSchema,
  type AskSteps,
  askUntilValid,
  BeckonError,
  ElicitationNotAvailableError,
  type Form,
  type Outcome,
} from '@beckon/core'
import { type Block, checkBlocks } from '@beckon/core/blocks'
import type { WidgetUse } from '@beckon/core/widgets'
import { type Ask, type Ending, replyOf } from '../call/ask.js'
import { type AskPolicy, asksOthers, policyFrom } from '../call/ask-policy.js'
import type { Call } from '../call/call.js'
import { type PersonRule, type PersonRules, personCheck, takesPasskey } from '../person/rule.js'
import {
  elicitationModes,
  type Quirk,
  rendersAsks,
  requiredCapabilities,
  showsViews,
} from '../protocol/capabilities.js'
import { readReply } from '../protocol/elicitation.js'
import { RequestError } from '../protocol/request-error.js'
import type { Completions } from '../waits/completions.js'
import { askChoice, type ChoiceContent, type ChoiceSteps } from './ask-choice.js'
import { type AskFiles, askFiles, type FileAsker } from './ask-files.js'
import { canOpenPage } from './ask-url.js'
import { type ChoicePage, type ChoiceSchema, choiceIn, type LabelledChoice } from './choice-schema.js'
import type { ConfirmOptions, ConfirmOutcome, Fallback, FormOptions, Subject } from './context.js'
import { type FileForm, filesIn } from './file-schema.js'
import type { OptionSearches } from './option-searches.js'
import type { PageLinks } from './page-links.js'
import type { AskReceipts } from './receipts.js'
import { sendAsk, wireFor } from './send-ask.js'
import type { PageVerifier } from './send-verified.js'
import type { UnheardAsks } from './unheard.js'
import { checkServed, type Widget, type Widgets, withWidget } from './widget.js'

/** A session that was told to open a URL, and whose it is. */
export interface UrlSession {
  readonly sessionId: string
  readonly principal: string | undefined
  readonly bytes: 0
}

/** What a server and a tool say about asking. */
export interface AskSettings {
  readonly quirks: readonly Quirk[]
  readonly fallback: Fallback
  /** Whether there is a desk. */
  readonly hasDesk: boolean
  /** Who answers the asks of the tool. */
  readonly approval: AskPolicy | undefined
  /** Whether a person has to be there. */
  readonly person: PersonRules
  /** What runs. */
  readonly subject: Subject
  /** Our own page, where people confirm with a passkey; undefined where there is none. */
  readonly verifier: PageVerifier | undefined
  /** Our own page, where people upload files; undefined where there is none. */
  readonly files: FileAsker | undefined
  /** The pages of the server that show asks; undefined where it has none. */
  readonly widgets: Widgets | undefined
  /** Whether the tool has a view, for hosts that show one and cannot ask. */
  readonly hasView: boolean
  /** What pages of widgets search while someone types. */
  readonly searches: OptionSearches
  /** What signs answers, and has what was signed go with the result. */
  readonly receipts: AskReceipts
  /** Nobody is sent anywhere: what asks is refused. */
  readonly isSilent: boolean
  /** A URL ask ends the call with error -32042 where the revision has it. */
  readonly urlError: boolean
  readonly allowHttp: boolean
  /** How long an ask is open that says nothing itself: in a client, where nobody has to stay for it, and at a page. */
  readonly expiryMs: { readonly client: number; readonly durable: number; readonly url: number }
  readonly completions: Completions
  /** Our own pages; undefined where none are served. */
  readonly flows: PageLinks | undefined
  /** Which session was told to open a URL first, by elicitation id: it is told when the flow is done. */
  readonly urlSessions: { add(elicitationId: string, session: UrlSession): void }
  /** The asks that nobody waits for. */
  readonly unheard: UnheardAsks
}

/**
 * Asks for a yes or no.
 * @param give makes what the author gets, here and not in a `then` of its own, which a suspended call would hold
 */
export async function confirm<R>(
  call: Call,
  settings: AskSettings,
  given: string | ConfirmOptions,
  give: (outcome: ConfirmOutcome) => R,
): Promise<R> {
  const options = typeof given === 'string' ? { question: given } : given
  const { fallback, person } = options
  const ask: Ask = { kind: 'confirm', message: options.question, ...wordsOf(options), ...answeredBy(options, settings) }
  const terms = { ...askOptions(options), fallback, person, isConfirm: true }
  return give(confirmOutcome(await sendAsk(call, settings, ask, terms)))
}

function confirmOutcome(ending: Ending): ConfirmOutcome {
  if (ending.kind === 'expired') return { action: 'cancel', why: 'expired' }
  // Nobody could be shown it, or the client could not after all.
  if (ending.kind !== 'outcome') return { action: 'cancel', why: 'no-capability' }
  const { by = [], receipt, ...outcome } = ending.outcome
  const who = { ...(by.length > 0 && { by }), ...(receipt !== undefined && { receipt }) }
  return outcome.action === 'accept' ? { action: 'accept', ...who } : { ...outcome, ...who }
}

/**
 * Asks for a form until the answer fits.
 * @param give makes what the author gets, here and not in a `then` of its own, which a suspended call would hold
 */
export function askForm<S extends AskSchema, R>(
  call: Call,
  settings: AskSettings,
  options: FormRequest<S>,
  give: (outcome: Outcome<AnswerOf<S>>) => R,
): Promise<R> {
  try {
    if (options.schema === undefined)
      throw new TypeError(
        "ctx.elicit takes a schema: ctx.elicit({ question, schema: ['red', 'green'] }). For a yes or no, use ctx.confirm.",
      )
    const { widget } = options
    const form = widget === undefined || widget.uploads ? filesIn(options.schema, options.jsonSchema) : undefined
    if (widget?.uploads && form === undefined) throw new TypeError(onlyFiles)
    if (form !== undefined) {
      if (!isForCaller(options, settings)) throw new TypeError(filesAreOfTheCaller)
      const { timeoutMs } = askOptions(options)
      const sendInWidget = widget && inWidget(call, settings, { ...options, widget }, form)
      const ask = { ...options, form, show: wordsOf(options)?.show, timeoutMs, sendInWidget }
      // What fits the schema is what the schema gives.
      return askFiles(call, settings, ask).then(outcome => give(outcome as Outcome<AnswerOf<S>>))
    }
    const choice = choiceIn(options.schema)
    if (choice !== undefined) {
      const { title, maxShown } = choice
      const onPage = async (page: ChoicePage): Promise<Outcome<unknown>> => {
        const { timeoutMs } = askOptions(options)
        const ask = { question: options.question, show: wordsOf(options)?.show, timeoutMs, title, maxShown }
        const outcome = await page.ask(call, settings, ask)
        if (outcome === undefined) throw new AskExpiredError(options.question)
        return outcome
      }
      const steps = {
        ask: (asked: Parameters<ChoiceSteps['ask']>[0]) =>
          askForm(call, settings, { ...options, ...asked }, outcome => outcome as Outcome<ChoiceContent>),
        askOnPage: canAskOnPage(call, settings, options) ? onPage : undefined,
        remember: (find: () => Promise<LabelledChoice[]>) => call.step('choices', find),
        offer: (offered: ChoiceSchema) =>
          canSearch(call, settings, options) ? offer(call, settings, offered) : undefined,
      }
      return askChoice(choice, options.question, steps).then(outcome => give(outcome as Outcome<AnswerOf<S>>))
    }
    if (options.widget !== undefined) {
      const carried = withWidget(options, options.widget, settings.widgets)
      // What fits the author's schema is what it gives, whatever form carried it.
      return askUntilValid(carried, new FormSteps(call, settings, carried as FormRequest<S>, give))
    }
  } catch (error) {
    return Promise.reject(error)
  }
  return askUntilValid(options, new FormSteps(call, settings, options, give))
}

class FormSteps<S extends AskSchema, R> implements AskSteps<Ending, R> {
  readonly #call: Call
  readonly #settings: AskSettings
  readonly #options: FormRequest<S>
  readonly #give: (outcome: Outcome<AnswerOf<S>>) => R

  constructor(call: Call, settings: AskSettings, options: FormRequest<S>, give: (outcome: Outcome<AnswerOf<S>>) => R) {
    this.#call = call
    this.#settings = settings
    this.#options = options
    this.#give = give
  }

  send(asked: { question: string; form: Form }, attempt: number): Promise<Ending> {
    return sendForm(this.#call, this.#settings, { options: this.#options, asked, attempt })
  }

  outcomeOf(ending: Ending): Outcome<unknown> {
    return outcomeOf(ending, this.#options.question, 'form')
  }

  give(outcome: Outcome<unknown>): R {
    // What fits the schema is what the schema gives.
    return this.#give(outcome as Outcome<AnswerOf<S>>)
  }
}

type FormRequest<S extends AskSchema = AskSchema> = FormOptions & {
  question: string
  schema: S
  /** What its widget is told. */
  use?: WidgetUse
  /** By which the page of its widget searches. */
  find?: string | undefined
}

function sendForm(
  call: Call,
  settings: AskSettings,
  { options, asked, attempt }: { options: FormRequest; asked: { question: string; form: Form }; attempt: number },
): Promise<Ending> {
  const { fallback, person } = options
  const { key, timeoutMs } = askOptions(options)
  const { question, form } = asked
  const words = { message: question, ...wordsOf(options), ...answeredBy(options, settings) }
  // A form with nothing to fill in is a confirm, on every wire and on the desk.
  const isConfirm = Object.keys(form.properties).length === 0
  const ask: Ask = isConfirm
    ? { kind: 'confirm', ...words }
    : { kind: 'form', ...words, form, ...(options.use !== undefined && { widget: options.use }) }
  const isChecked = personCheck(person, settings.person) !== undefined || asksOthers(ask.policy ?? {})
  const unasked = attempt === 1 && !isChecked ? unaskedReply(call, key) : undefined
  return sendAsk(call, settings, ask, { key, timeoutMs, fallback, person, unasked })
}

/** How files are asked for by a widget, which shows files alone; undefined where it is not shown. */
function inWidget(
  call: Call,
  settings: AskSettings,
  options: FormRequest & { readonly widget: Widget },
  { fields }: FileForm,
): AskFiles['sendInWidget'] {
  checkServed(options.widget, settings.widgets)
  const isShown = whereWidgetShows(call, settings, options) !== undefined
  if (!isShown || Object.keys(fields.properties).length > 0) return undefined
  return async ({ question, form, data, connect, expiresAt }) => {
    const { name } = options.widget
    const timeoutMs = Math.max(0, expiresAt - call.now())
    const asked = {
      options: { ...options, timeoutMs, use: { name, data, connect } },
      asked: { question, form },
      attempt: 1,
    }
    return outcomeOf(await sendForm(call, settings, asked), options.question, 'form')
  }
}

/** For requests to the client itself: sampling and roots. */
export async function askClient(
  call: Call,
  ask: Extract<Ask, { kind: 'sample' | 'roots' }>,
  key: string | undefined,
  timeoutMs: number,
): Promise<unknown> {
  const capability = ask.kind === 'sample' ? 'sampling' : 'roots'
  const { clientWire: wire } = call
  if (wire === undefined || call.peer.capabilities[capability] === undefined) throw missingCapability(ask.kind)
  const reply = replyOf(await call.ask(ask, { key, timeoutMs, wire }), ask.kind)
  return reply.kind === 'result' ? reply.result : undefined
}

/** A client that did not declare what a call needs: -32021 on 2026-07-28. */
export function missingCapability(kind: Ask['kind']): RequestError {
  const requires = requiredCapabilities(kind)
  const missing = Object.entries(requires).map(([name, modes]) => [name, ...Object.keys(modes as object)].join('.'))
  const message = `The client does not declare ${missing.join(', ')}, which this call needs.`
  return new RequestError(-32021, message, { requiredCapabilities: requires })
}

/** An answer that came with the first request counts only for a form that the author named, and never where a person has to be there. */
function unaskedReply(call: Call, key: string | undefined) {
  if (key === undefined) return undefined
  const reply = readReply('form', call.unasked?.[key])
  return reply?.kind === 'outcome' && reply.outcome.action === 'accept' ? reply : undefined
}

/**
 * Who asks, and what is shown beside the question, where an author says so.
 * @throws TypeError for blocks that nobody could be shown
 */
export function wordsOf({ asker, show = [] }: Said): Said | undefined {
  if (asker === undefined && show.length === 0) return undefined
  const checked = checkBlocks(show)
  if ('problem' in checked) throw new TypeError(checked.problem)
  return { ...(asker !== undefined && { asker }), ...(checked.blocks.length > 0 && { show: checked.blocks }) }
}

interface Said {
  readonly asker?: string
  readonly show?: readonly Block[]
}

export function outcomeOf(ending: Ending, ask: string, mode: 'form' | 'url'): Outcome<unknown> {
  if (ending.kind === 'failed')
    throw ending.error instanceof BeckonError
      ? ending.error
      : // The client failed to show the ask: that is not the tool's failure.
        new ElicitationNotAvailableError(mode, { cause: ending.error })
  if (ending.kind === 'expired') throw new AskExpiredError(ask)
  if (ending.kind === 'outcome') return ending.outcome
  return { action: 'cancel' }
}

/** Who answers, where the ask or its tool says so. */
function answeredBy(options: AskPolicy, { approval }: AskSettings): { policy?: AskPolicy } | undefined {
  const policy = policyFrom(options, approval)
  return policy && { policy }
}

/** Whether the caller may answer alone, and without a passkey: only they can open a page of ours. */
function isForCaller(options: AskPolicy & { readonly person?: PersonRule }, settings: AskSettings): boolean {
  return !asksOthers(answeredBy(options, settings)?.policy ?? {}) && !takesPasskey(options.person, settings.person)
}

/** A page of ours is not opened for what a widget shows, where one is shown. */
function canAskOnPage(call: Call, settings: AskSettings, options: FormOptions): boolean {
  return (
    whereWidgetShows(call, settings, options) === undefined &&
    isForCaller(options, settings) &&
    canOpenPage(call, settings)
  )
}

/** Where the widget of an ask is shown; undefined where a form is. */
function whereWidgetShows(call: Call, settings: AskSettings, options: FormOptions): 'desk' | 'host' | undefined {
  if (options.widget === undefined) return undefined
  const { fallback, person } = options
  const isForOthers = asksOthers(answeredBy(options, settings)?.policy ?? {})
  const wire = wireFor(call, settings, 'form', { fallback, person, isForOthers, hasWidget: true })
  if (wire === 'desk') return 'desk'
  const { capabilities } = call.peer
  const isShown = canShowForms(call, settings)
    ? rendersAsks(capabilities)
    : settings.hasView && showsViews(capabilities)
  return wire !== undefined && isShown ? 'host' : undefined
}

function canShowForms({ peer }: Call, { quirks }: AskSettings): boolean {
  return elicitationModes(peer, quirks)?.form === true
}

/** Whether the page of a widget can have options searched. */
function canSearch(call: Call, settings: AskSettings, options: FormOptions): boolean {
  const where = whereWidgetShows(call, settings, options)
  return where === 'host' || (where === 'desk' && settings.searches.reachesDesk)
}

/** Offers options to the pages of a widget, under a handle that a replay finds again. */
async function offer(call: Call, { searches, expiryMs }: AskSettings, { page, source, maxShown }: ChoiceSchema) {
  const { principal } = call
  const expiresAt = call.now() + Math.max(expiryMs.client, expiryMs.durable)
  const handle = await call.step('search of choices', async () =>
    searches.handleFor({ page, maxShown, principal, expiresAt }),
  )
  searches.offer(handle, source)
  return handle
}

const onlyFiles =
  'This widget uploads files: give it with `file()` of `beckon/files` as the schema, or a schema that has some.'

const filesAreOfTheCaller =
  'Files are sent by the caller, so an ask for them takes no `audience`, `quorum`, `escalation` or passkey, and neither does its tool. ' +
  'Ask for the files first, and then for the approval with `ctx.confirm`.'

function askOptions({ key, timeoutMs, timeout }: { key?: string; timeoutMs?: number; timeout?: number }) {
  return { key, timeoutMs: timeoutMs ?? timeout }
}

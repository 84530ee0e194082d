import type { Ask, Ending, OpenAsk, PersonAsk } from '../call/ask.js'
import type { DeskPolicy } from '../call/ask-policy.js'
import type { CallResponse } from '../log/events.js'
import type { AskPresenter } from '../runner/call-request.js'
import { type ReportMode, reportOf } from './call-report.js'
import type { AskDesk, AskSubject, DeskOutcome, DeskRequest, OpenedAsk } from './desk.js'

export interface PresenterOptions {
  /** What is said of the call's end. Default: its text. */
  readonly reports?: ReportMode | undefined
  /** The pages of the server that show asks, by name. */
  readonly widgets?: ReadonlyMap<string, { readonly page: string }> | undefined
  /** Told why the desk did not take an ask: the client hears only that nobody could be asked. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Shows the asks of one call on a desk, and says what came of it. */
export class DeskPresenter implements AskPresenter {
  readonly #desk: AskDesk
  readonly #subject: AskSubject
  readonly #opened = new Map<string, Promise<OpenedAsk>>()
  readonly #options: PresenterOptions
  #last: OpenedAsk | undefined

  constructor(desk: AskDesk, subject: AskSubject, options: PresenterOptions = {}) {
    this.#desk = desk
    this.#subject = subject
    this.#options = options
  }

  async link(ask: OpenAsk): Promise<string> {
    return (await (this.#opened.get(ask.id) ?? this.#open(ask))).link
  }

  async open(ask: OpenAsk): Promise<Ending> {
    const opening = this.#open(ask)
    this.#opened.set(ask.id, opening)
    try {
      return endingOf(await (await opening).outcome(), ask.ask)
    } finally {
      this.#opened.delete(ask.id)
    }
  }

  withdraw({ id }: Pick<OpenAsk, 'id'>): void {
    // What cannot be withdrawn expires.
    this.#opened
      .get(id)
      ?.then(opened => opened.withdraw())
      .catch(() => {})
  }

  report(end: CallResponse | 'cancelled'): void {
    const report = reportOf(end, this.#options.reports ?? 'text')
    // The call has ended, whether or not anybody hears what came of it.
    if (report !== undefined) this.#last?.report?.(report).catch(() => {})
  }

  async #open({ id, ask, expiresAt }: OpenAsk): Promise<OpenedAsk> {
    const { asker } = 'message' in ask ? ask : {}
    const options = { expiresAt, policy: policyOf(ask) }
    const request = requestOf(id, ask, this.#options.widgets)
    const opened = await this.#desk.open({ ...this.#subject, asker }, request, options).catch(error => {
      const { cause = error } = Object(error)
      this.#options.onError?.(new Error(`The desk did not take an ask of "${this.#subject.tool}".`, { cause }))
      throw error
    })
    warnOfUnseen(opened)
    this.#last = opened
    return opened
  }
}

/** Of whom it was said that the desk has never let them in; so many at most, since callers name them. */
const warned = new Set<string>()
const maxWarned = 1_000

function warnOfUnseen({ unseen = [], link }: OpenedAsk): void {
  for (const principal of unseen) {
    if (warned.has(principal) || warned.size >= maxWarned) continue
    warned.add(principal)
    const name = JSON.stringify(principal.slice(0, 100))
    console.warn(
      `beckon: ${name} is asked at ${link} , and has never signed in to that desk. Is it the name they have there?`,
    )
  }
}

function requestOf(id: string, ask: Ask, widgets: PresenterOptions['widgets']): DeskRequest {
  switch (ask.kind) {
    case 'confirm':
      return { id, ...wordsOf(ask) }
    case 'form':
      return { id, ...wordsOf(ask), form: ask.form, ...widgetOf(ask, widgets) }
    case 'url':
      return { id, ...wordsOf(ask), url: ask.url }
    default:
      throw new TypeError(`A desk cannot open "${ask.kind}": it is for a client, not for a person.`)
  }
}

/** An ask with a widget that this version of the server no longer has is shown as a plain form. */
function widgetOf(
  { widget }: Extract<Ask, { kind: 'form' }>,
  widgets: PresenterOptions['widgets'],
): Pick<DeskRequest, 'widget'> | undefined {
  const page = widget && widgets?.get(widget.name)?.page
  return widget && page !== undefined ? { widget: { ...widget, html: page } } : undefined
}

function wordsOf({ message, show }: PersonAsk): Pick<DeskRequest, 'message' | 'show'> {
  return show === undefined ? { message } : { message, show }
}

function policyOf(ask: Ask): DeskPolicy | undefined {
  const { policy, person, receipt } = 'message' in ask ? ask : {}
  if (person === undefined && receipt === undefined) return policy
  return { ...policy, ...(person && { person }), ...(receipt && { receipt }) }
}

/** A desk that signs nothing does not know passkeys: its accept is a click, which does not count for an ask that takes one. */
function endingOf(outcome: DeskOutcome, ask: Ask): Ending {
  const takesPasskey = 'person' in ask && ask.person === 'verified'
  if (takesPasskey && outcome.action === 'accept' && outcome.receipt === undefined)
    return { kind: 'failed', error: new Error('The desk took an answer without a passkey, so it does not count.') }
  if (outcome.action === 'cancel' && outcome.why === 'expired') return { kind: 'expired' }
  // Also where nobody knows who it was: it was not the person at the client.
  return { kind: 'outcome', outcome: { ...outcome, by: outcome.by ?? [] } }
}

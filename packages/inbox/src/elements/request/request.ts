import type { AskEntry } from '@beckon/core/asks'
import { type CSSResultGroup, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { ApiError } from '../../api/desk-api.js'
import { canBeRuled, isDestructive, isOwnCall, newestIn, takesPasskey } from '../../list/rows.js'
import type { DeskClient } from '../../live/desk-client.js'
import type { Completion, Notice } from '../../live/local-asks.js'
import { DeskElement } from '../desk-element.js'
import type { QuestionElement } from '../question/question.js'
import { controls, theme } from '../theme.js'
import { type ActionsPart, actionsPart } from './actions-part.js'
import { Answering } from './answering.js'
import { approvalPart, hasAccepted } from './approval-part.js'
import { argumentsPart, showsAllArguments } from './arguments-part.js'
import { awayPart } from './away-part.js'
import { decidingStyles } from './deciding-styles.js'
import { endedPart } from './ended-part.js'
import { type AskShown, LaterParts } from './later-parts.js'
import { reportPart } from './report-part.js'
import { requestStyles } from './request-styles.js'
import { SteadyButtons } from './steady-buttons.js'
import { headerPart, messagePart } from './subject-part.js'
import { trialPart } from './trial-part.js'

/** As long as it takes to see that one pressed the wrong button. */
export const defaultUndoMs: number = 5_000

/**
 * One ask, with everything that a person needs to decide and the means to answer.
 * @fires beckon-answered - with `{ session, request, response }`, when the desk has taken this person's answer
 * @fires beckon-signed-out - with `{ canSignIn }`, when the desk does not let this person in any more
 */
export class RequestElement extends DeskElement {
  static override properties: PropertyDeclarations = {
    session: { type: String },
    request: { type: String },
    now: { attribute: false },
    undoMs: { type: Number, attribute: 'undo-ms' },
  }

  static override styles: CSSResultGroup = [theme, controls, requestStyles, decidingStyles]

  /** The session that the ask is in. */
  declare session: string | undefined
  /** The id of the ask. */
  declare request: string | undefined
  /** Milliseconds; an element that shows many asks gives them all the same. */
  declare now: number | undefined
  /** For how long a decision can be taken back before it is sent, in milliseconds. Default: 5,000; with 0 it is sent at once. */
  declare undoMs: number | undefined
  readonly #later = new LaterParts(this)
  readonly #steady = new SteadyButtons(this)
  #answering: Answering | undefined
  #shownKey = ''
  #isWhole = false
  #hasAllArguments = false
  #reason: string | undefined
  /** Whether the page of a widget has said what to answer. */
  #isEntered = false
  #toFix = 0
  #isConfirming = false
  #passkeyNotice: Notice | undefined
  #hadFocus = false
  #ticking: ReturnType<typeof setTimeout> | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('pagehide', this.#share)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('pagehide', this.#share)
    this.#share()
    this.shown?.watch(undefined)
    this.#shownKey = ''
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('article')?.focus({ preventScroll: true })
  }

  /** The ask that is shown. */
  get ask(): AskEntry | undefined {
    return this.session === undefined || this.request === undefined
      ? undefined
      : this.shown?.find(this.session, this.request)
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed)
    this.#hadFocus = this.matches(':focus-within')
    const { ask, shown } = this
    if (shown === undefined) return
    const key = ask === undefined ? '' : `${ask.session} ${ask.request.id} ${ask.askedAt}`
    if (key !== this.#shownKey) this.#turnTo(key)
    if (ask === undefined) return
    this.#answering ??= new Answering(shown, ask, this.language.tag)
    this.#answering.ask = ask
    if (this.#toFix > 0) this.#toFix = this.#answering.problems().length
    const held = shown.heldOf(ask)
    clearTimeout(this.#ticking)
    // An element that shows many asks draws them every second; alone, this does.
    if (held !== undefined && this.now === undefined) this.#ticking = setTimeout(() => this.requestUpdate(), 500)
  }

  /** A person who was in a control that is gone finds themselves at the ask still. */
  protected override updated(): void {
    const holds = this.ask !== undefined && this.ask.ending === undefined && hasWidget(this.ask)
    this.#steady.watch(holds ? (this.renderRoot.querySelector('article') ?? undefined) : undefined)
    if (this.#hadFocus && !this.matches(':focus-within')) this.focus()
  }

  protected override render(): TemplateResult {
    const { ask } = this
    if (ask === undefined) return awayPart(this.shown, this.language.strings)
    return html`<article class=${hasWidget(ask) ? 'holds' : ''} tabindex="-1" @keydown=${this.#onKey} @click=${this.#steady.onClick}>
      ${headerPart(ask, this.language, this.now ?? Date.now())}
      ${messagePart({ ask, language: this.language, isWhole: this.#isWhole, toggle: () => this.#toggleWhole() })}
      ${this.#later.blocks(ask, this.language)}
      ${argumentsPart({ ask, language: this.language, isWhole: this.#hasAllArguments, showWhole: () => this.#showArguments() })}
      ${approvalPart(ask, this.shown?.principal, this.language.strings)} ${this.shown === undefined ? nothing : this.#later.people(this.#about(ask, this.shown))}
      ${ask.ending === undefined ? this.#open(ask) : this.#ended(ask)}
    </article>`
  }

  #open(ask: AskEntry): TemplateResult {
    const { language, shown } = this
    const { url } = ask.request
    const isSending = this.#isSending(ask)
    const kind = kindOf(ask)
    const held = shown?.heldOf(ask)
    const showsAll = this.#showsAll(ask)
    const isOwn = isOwnCall(ask, shown?.principal)
    const canRule = !isOwn && showsAll && canBeRuled(ask) && shown?.api !== undefined && shown.isSomebody
    if (this.#later.makesRule && canRule && held === undefined)
      return this.#later.rule(this.#about(ask, shown), () => this.#accept(ask))
    return html`
      ${url === undefined ? nothing : this.#later.link({ url, language, isOpen: !isSending && showsAll && kind === 'visit', onOpen: () => this.#complete('accept') })}
      ${
        kind === 'form' && shown && this.#answering
          ? this.#later.form({
              ask,
              client: shown,
              answering: this.#answering,
              language,
              isDisabled: isSending,
              onChange: () => this.requestUpdate(),
              isEntered: this.#isEntered,
              entered: () => {
                this.#isEntered = true
                this.requestUpdate()
              },
              refused: reason => {
                this.#reason ??= reason
                this.requestUpdate()
              },
            })
          : nothing
      }
      ${actionsPart({
        strings: language.strings,
        kind,
        isDestructive: isDestructive(ask),
        isSending: isSending || this.#isConfirming,
        passkey: !takesPasskey(ask) ? 'none' : this.#isConfirming ? 'asking' : 'needed',
        isOnline: shown?.status === 'online',
        isMoving: this.#steady.isMoving,
        showsAll,
        isOwn,
        held: held && { response: held.completion.response, leftMs: held.until - Date.now() },
        recorded:
          hasAccepted(ask, shown?.principal) && ask.approval
            ? { count: ask.approval.by.length, of: ask.approval.of }
            : undefined,
        alwaysAllow: canRule ? () => this.#later.openRule() : undefined,
        handOn: shown?.isSomebody && !isOwn ? () => this.#later.openPeople('hand-on') : undefined,
        comment: () => this.#later.openPeople('comment'),
        undo: () => shown?.undo(ask),
        sendNow: () => shown?.release(ask),
        toFix: this.#toFix,
        notice: this.#passkeyNotice ?? shown?.noticeOf(ask),
        reason: this.#reason,
        accept: () => this.#accept(ask),
        decline: () => this.#complete('decline'),
        dismiss: () => this.#complete('cancel'),
        addReason: () => this.#addReason(),
        writeReason: reason => {
          this.#reason = reason
        },
      })}
    `
  }

  #ended(ask: AskEntry): TemplateResult {
    const { language, shown } = this
    const { url } = ask.request
    const now = this.now ?? Date.now()
    return html`
      ${url === undefined ? nothing : this.#later.link({ url, language, isOpen: false, onOpen() {} })} ${this.#later.answers(ask, language)}
      ${endedPart({ ask, language, now, principal: shown?.principal, notice: shown?.noticeOf(ask) })}
      ${shown?.trialIn(ask.session) === undefined ? reportPart(ask, language.strings) : nothing}
      ${trialPart({
        trial: shown?.trialIn(ask.session),
        strings: language.strings,
        isWaiting: url !== undefined || newestIn(shown?.asks ?? [], ask.session)?.ending === undefined,
      })}
      <slot></slot>
    `
  }

  #about(ask: AskEntry, client: DeskClient): AskShown {
    return { ask, client, language: this.language, now: this.now ?? Date.now() }
  }

  #accept(ask: AskEntry): void {
    const bad = this.#answering?.problems() ?? []
    this.#toFix = bad.length
    this.requestUpdate()
    const [first] = bad
    if (first === undefined) {
      this.#complete('accept')
      return
    }
    const index = ask.request.questions?.indexOf(first) ?? 0
    void this.updateComplete.then(() =>
      this.renderRoot.querySelectorAll<QuestionElement>('beckon-question').item(index)?.focus(),
    )
  }

  #complete(response: 'accept' | 'decline' | 'cancel'): void {
    const { ask, shown } = this
    if (ask === undefined || shown === undefined || this.#isSending(ask) || this.#isConfirming) return
    if (response === 'accept' && (!this.#showsAll(ask) || isOwnCall(ask, shown.principal))) return
    const { undoMs = defaultUndoMs } = this
    // What is taken back is as it was.
    if (undoMs > 0) this.#answering?.share()
    else this.#answering?.stop()
    this.#toFix = 0
    const hasAnswers = response === 'accept' && kindOf(ask) === 'form'
    const reason = this.#reason?.trim() ?? ''
    this.#passkeyNotice = undefined
    const completion = {
      response,
      ...(hasAnswers && { answers: this.#answering?.answers() ?? {} }),
      ...(response === 'decline' && reason !== '' && { reason }),
    }
    // A person who opened a page cannot close it again, and one who confirmed with their device has thought twice.
    if (response === 'accept' && takesPasskey(ask)) void this.#confirm(ask, completion)
    else this.#send(ask, completion, response === 'accept' && kindOf(ask) === 'visit' ? 0 : undoMs)
  }

  #send(ask: AskEntry, completion: Omit<Completion, 'kind'>, undoMs = 0): void {
    this.shown?.complete(ask, completion, undoMs)
    this.requestUpdate()
  }

  /** Has the person's device confirm exactly this, and sends it with what that says. */
  async #confirm(ask: AskEntry, completion: Omit<Completion, 'kind'>): Promise<void> {
    const key = this.#shownKey
    this.#isConfirming = true
    this.requestUpdate()
    try {
      const { confirmWithPasskey } = await import('../../passkey/passkeys.js')
      const passkey = await confirmWithPasskey(
        this.shown?.url.replace(/^ws/, 'http') ?? '',
        ask,
        completion.answers ?? {},
      )
      // A person who looks at another ask by now has turned away from this one.
      if (key === this.#shownKey) this.#send(ask, { ...completion, passkey })
    } catch (error) {
      if (key === this.#shownKey) this.#passkeyNotice = this.#refusedBy(error)
    } finally {
      if (key === this.#shownKey) this.#isConfirming = false
      this.requestUpdate()
    }
  }

  /** Why it was not confirmed: the desk's words, where it said some. */
  #refusedBy(error: unknown): Notice {
    const refusal = error instanceof ApiError ? error.refusal : undefined
    return { kind: 'refused', ...(refusal ?? { reason: this.language.strings.notConfirmed }) }
  }

  /** Whether everything stands on the page that a person has to see before they can accept. */
  #showsAll(ask: AskEntry): boolean {
    return showsAllArguments(ask, this.#hasAllArguments) && this.#later.showsAll(ask)
  }

  #isSending(ask: AskEntry): boolean {
    return this.shown?.isAnswering(ask) === true
  }

  /** Tells the page that embeds this that the desk has taken the answer. */
  protected override onAnswered({ session, request, ending }: AskEntry): void {
    if (session === this.session && request.id === this.request)
      this.emit('beckon-answered', { session, request: request.id, response: ending?.response })
  }

  #turnTo(key: string): void {
    this.#share()
    this.#shownKey = key
    this.#answering = undefined
    this.#isWhole = false
    this.#hasAllArguments = false
    this.#later.turn()
    this.#steady.turn()
    this.#reason = undefined
    this.#isEntered = false
    this.#toFix = 0
    this.#isConfirming = false
    this.#passkeyNotice = undefined
    this.shown?.watch(this.ask?.session)
  }

  #toggleWhole(): void {
    this.#isWhole = !this.#isWhole
    this.requestUpdate()
  }

  #showArguments(): void {
    this.#hasAllArguments = true
    this.requestUpdate()
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.arguments [tabindex]')?.focus())
  }

  #addReason(): void {
    this.#reason = ''
    this.requestUpdate()
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('#reason')?.focus())
  }

  #onKey(event: KeyboardEvent): void {
    const { ask } = this
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || ask === undefined || ask.ending) return
    event.preventDefault()
    // A person who writes why not means no.
    if (event.composedPath().some(element => element instanceof Element && element.id === 'reason'))
      this.#complete('decline')
    // What can destroy something is agreed to on its own button.
    else if (isDestructive(ask)) this.renderRoot.querySelector<HTMLElement>('#accept')?.focus()
    // A page is opened by a click and by nothing else.
    else if (kindOf(ask) !== 'visit') this.#accept(ask)
  }

  readonly #share = (): void => this.#answering?.share()
}

/** Whether what is asked is shown by a page of its server. */
function hasWidget({ request }: AskEntry): boolean {
  return request._meta?.['beckon/widget'] !== undefined
}

function kindOf({ request: { url, questions = [] } }: AskEntry): ActionsPart['kind'] {
  if (questions.length > 0) return 'form'
  return url === undefined ? 'confirm' : 'visit'
}

import type { AskEntry } from '@beckon/core/asks'
import { type CSSResultGroup, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { repeat } from 'lit/directives/repeat.js'
import type { Entered } from '../../fields/entered.js'
import { visible } from '../../text/visible.js'
import { DeskElement } from '../desk-element.js'
import { icon } from '../icons.js'
import type { QuestionElement } from '../question/question.js'
import { controls, theme } from '../theme.js'
import { Answering } from './answering.js'
import { answersPart } from './answers-part.js'
import { endedPart } from './ended-part.js'
import { linkPart } from './link-part.js'
import { noticePart } from './notice-part.js'
import { requestStyles } from './request-styles.js'
import { argumentsPart, headerPart, messagePart } from './subject-part.js'

/**
 * One ask, with everything that a person needs to decide and the means to answer.
 * @fires beckon-answered - with `{ session, request, response }`, when the desk has taken this person's answer
 */
export class RequestElement extends DeskElement {
  static override properties: PropertyDeclarations = {
    session: { type: String },
    request: { type: String },
    now: { attribute: false },
  }

  static override styles: CSSResultGroup = [theme, controls, requestStyles]

  /** The session that the ask is in. */
  declare session: string | undefined
  /** The id of the ask. */
  declare request: string | undefined
  /** Milliseconds; whoever shows many asks gives them the same. */
  declare now: number | undefined
  #answering: Answering | undefined
  #shownKey = ''
  #isWhole = false
  #isReasonShown = false
  #reason = ''
  #toFix = 0
  #wasSending = false
  #hadFocus = false

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
    this.#announce(ask)
  }

  /** Whoever was in a control that is gone finds themselves at the ask still. */
  protected override updated(): void {
    if (this.#hadFocus && !this.matches(':focus-within')) this.focus()
  }

  protected override render(): TemplateResult {
    const { ask } = this
    const { strings } = this.language
    if (ask === undefined)
      return html`<div class="away quiet">${this.shown?.isLoaded ? strings.gone : strings.loading}</div>`
    return html`<article tabindex="-1" @keydown=${this.#onKey}>
      ${headerPart(ask, this.language, this.now ?? Date.now())}
      ${messagePart({ ask, language: this.language, isWhole: this.#isWhole, toggle: () => this.#toggleWhole() })}
      ${argumentsPart(ask, this.language)} ${ask.ending === undefined ? this.#open(ask) : this.#ended(ask)}
    </article>`
  }

  #open(ask: AskEntry): TemplateResult {
    const { url, questions = [] } = ask.request
    const isSending = this.#isSending(ask)
    return html`
      ${url === undefined ? nothing : linkPart({ url, language: this.language, isOpen: !isSending && questions.length === 0, onOpen: () => this.#complete('accept') })}
      ${questions.length === 0 ? nothing : this.#form(ask, isSending)} ${this.#actions(ask, isSending)}
    `
  }

  #ended(ask: AskEntry): TemplateResult {
    const { language, shown } = this
    const { url } = ask.request
    const now = this.now ?? Date.now()
    return html`
      ${url === undefined ? nothing : linkPart({ url, language, isOpen: false, onOpen() {} })} ${answersPart(ask, language)}
      ${endedPart({ ask, language, now, principal: shown?.principal, notice: shown?.noticeOf(ask) })}
      <slot></slot>
    `
  }

  #form(ask: AskEntry, isSending: boolean): TemplateResult {
    const answering = this.#answering
    return html`<form novalidate @submit=${this.#onSubmit}>
      ${repeat(
        ask.request.questions ?? [],
        ({ id }) => id,
        question => html`<beckon-question
          .question=${question}
          .entered=${answering?.entered(question)}
          .problem=${answering?.problem(question)}
          .typing=${this.#typing(ask, question.id)}
          .rival=${this.#rival(ask, question.id)}
          .language=${this.language}
          .isDisabled=${isSending}
          @entered=${({ detail }: CustomEvent<Entered>) => {
            answering?.enter(question, detail)
            this.requestUpdate()
          }}
          @left=${() => {
            answering?.leave(question)
            this.requestUpdate()
          }}
          @take-theirs=${() => {
            answering?.takeTheirs(question)
            this.requestUpdate()
          }}
        ></beckon-question>`,
      )}
    </form>`
  }

  #actions(ask: AskEntry, isSending: boolean): TemplateResult {
    const { strings } = this.language
    const { url, questions = [] } = ask.request
    const isVisit = url !== undefined && questions.length === 0
    const accept = questions.length > 0 ? strings.send : strings.accept
    return html`<div class="actions">
      ${noticePart(this.#toFix, this.shown?.noticeOf(ask), strings)}
      ${isSending ? html`<p class="note" role="status">${icon('clock')}${this.shown?.status === 'online' ? strings.sending : strings.waitsForConnection}</p>` : nothing}
      ${
        this.#isReasonShown
          ? html`<label class="quiet" for="reason">${strings.reason}</label>
              <textarea
                id="reason"
                rows="2"
                dir="auto"
                maxlength="2000"
                placeholder=${strings.reasonMore}
                .value=${live(this.#reason)}
                @input=${(event: Event) => {
                  this.#reason = (event.target as HTMLTextAreaElement).value
                }}
              ></textarea>`
          : nothing
      }
      <div class="buttons">
        ${isVisit ? nothing : html`<button class="primary" ?disabled=${isSending} @click=${() => this.#accept(ask)}>${accept}</button>`}
        <button ?disabled=${isSending} @click=${() => this.#complete('decline')}>${strings.decline}</button>
        ${this.#isReasonShown ? nothing : html`<button class="plain" ?disabled=${isSending} @click=${this.#showReason}>${strings.addReason}</button>`}
        <button class="plain end" title=${strings.dismissMore} ?disabled=${isSending} @click=${() => this.#complete('cancel')}>
          ${strings.dismiss}
        </button>
      </div>
    </div>`
  }

  #typing(ask: AskEntry, questionId: string): string | undefined {
    const who = this.shown?.typingIn(ask, questionId)
    return who === undefined ? undefined : this.#nameOf(who)
  }

  #rival(ask: AskEntry, questionId: string): QuestionElement['rival'] {
    const question = ask.request.questions?.find(({ id }) => id === questionId)
    const entered = question && this.#answering?.rival(question)
    const who = this.shown?.changedBy(ask, questionId)
    return entered === undefined || who === undefined ? undefined : { who: this.#nameOf(who), entered }
  }

  #nameOf(who: string): string {
    const { strings } = this.language
    return who === this.shown?.principal ? strings.youElsewhere : `\u2068${visible(who)}\u2069`
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
    if (ask === undefined || shown === undefined || this.#isSending(ask)) return
    this.#answering?.stop()
    this.#toFix = 0
    const hasAnswers = response === 'accept' && (ask.request.questions?.length ?? 0) > 0
    const reason = this.#reason.trim()
    shown.complete(ask, {
      response,
      ...(hasAnswers && { answers: this.#answering?.answers() ?? {} }),
      ...(response === 'decline' && reason !== '' && { reason }),
    })
    this.#wasSending = true
    this.requestUpdate()
  }

  #isSending(ask: AskEntry): boolean {
    return this.shown?.completionOf(ask) !== undefined
  }

  /** Tells whoever embeds this that the desk has taken the answer. */
  #announce(ask: AskEntry): void {
    if (!this.#wasSending || this.#isSending(ask)) return
    this.#wasSending = false
    if (ask.ending === undefined || this.shown?.noticeOf(ask) !== undefined) return
    const detail = { session: ask.session, request: ask.request.id, response: ask.ending.response }
    this.dispatchEvent(new CustomEvent('beckon-answered', { detail, bubbles: true, composed: true }))
  }

  #turnTo(key: string): void {
    this.#share()
    this.#shownKey = key
    this.#answering = undefined
    this.#isWhole = false
    this.#isReasonShown = false
    this.#reason = ''
    this.#toFix = 0
    this.#wasSending = false
    this.shown?.watch(this.ask?.session)
  }

  #toggleWhole(): void {
    this.#isWhole = !this.#isWhole
    this.requestUpdate()
  }

  #showReason(): void {
    this.#isReasonShown = true
    this.requestUpdate()
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('#reason')?.focus())
  }

  #onSubmit(event: Event): void {
    event.preventDefault()
  }

  #onKey(event: KeyboardEvent): void {
    const { ask } = this
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || ask === undefined || ask.ending) return
    event.preventDefault()
    const isVisit = ask.request.url !== undefined && !ask.request.questions?.length
    // A page is opened by a click and by nothing else.
    if (!isVisit) this.#accept(ask)
  }

  readonly #share = (): void => this.#answering?.share()
}

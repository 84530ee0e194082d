import type { Question } from '@beckon/core'
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { controlFor } from '../../fields/control.js'
import { choiceEntered, type Entered, isDateTime, isSame, read, textEntered } from '../../fields/entered.js'
import type { Language } from '../../strings/strings.js'
import { visible } from '../../text/visible.js'
import { icon } from '../icons.js'
import { controls, theme } from '../theme.js'
import { words } from '../untrusted.js'
import { checkboxControl, radioControl, yesNoControl } from './choice-control.js'
import type { ControlPart } from './control-part.js'
import { questionStyles } from './question-styles.js'
import { SearchControl } from './search-control.js'
import { textControl } from './text-control.js'

/** From here on it is worth knowing how much room is left. */
const nearlyFull = 0.75

/** What someone else made of an answer while its person was at it. */
export interface Rival {
  readonly who: string
  readonly entered: Entered
}

/** One question with the control that fits it. Tells with `entered` what is put in, and with `left` that someone is done. */
export class QuestionElement extends LitElement {
  static override properties: PropertyDeclarations = {
    question: { attribute: false },
    entered: { attribute: false, hasChanged: (a: Entered, b?: Entered) => b === undefined || !isSame(a, b) },
    problem: { attribute: false },
    typing: { attribute: false },
    rival: { attribute: false },
    language: { attribute: false },
    isDisabled: { attribute: false },
  }

  static override styles: CSSResultGroup = [theme, controls, questionStyles]

  declare question: Question
  declare entered: Entered
  declare problem: string | undefined
  declare typing: string | undefined
  declare rival: Rival | undefined
  declare language: Language
  declare isDisabled: boolean
  readonly #search = new SearchControl(this)

  constructor() {
    super()
    this.addEventListener('focusout', event => {
      if (!this.shadowRoot?.contains(event.relatedTarget as Node | null)) this.dispatchEvent(new Event('left'))
    })
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('input:checked, input, textarea')?.focus()
  }

  protected override render(): TemplateResult {
    const { question } = this
    const control = controlFor(question)
    const isGroup = control.kind !== 'line' && control.kind !== 'lines' && control.kind !== 'search'
    const body = html`${this.#help()}${this.#control()}${this.#under()}`
    return isGroup
      ? html`<fieldset aria-describedby="help problem">
          <legend class="title">${this.#title()}</legend>
          ${body}
        </fieldset>`
      : html`<label class="title" for="control">${this.#title()}</label>${body}`
  }

  #title(): TemplateResult {
    const { title, message, required } = this.question
    const { strings } = this.language
    return html`${words(title ?? message)}<span class="mark">${required ? strings.required : strings.optional}</span>`
  }

  #help(): TemplateResult | typeof nothing {
    const { title, message } = this.question
    return title === undefined || title === message || message === ''
      ? nothing
      : html`<p class="help quiet text" id="help" dir="auto">${visible(message)}</p>`
  }

  #control(): TemplateResult {
    const { question, language } = this
    const part: Omit<ControlPart, 'question'> = {
      entered: this.entered,
      language,
      isInvalid: this.problem !== undefined,
      describedBy: 'help problem hint',
      isDisabled: this.isDisabled === true,
      enter: entered => this.#enter(entered),
    }
    const control = controlFor(question)
    switch (question.kind) {
      case 'boolean':
        return yesNoControl({ ...part, question })
      case 'single-select':
        return control.kind === 'search'
          ? this.#search.render({ ...part, question })
          : radioControl({ ...part, question })
      case 'multi-select':
        return checkboxControl({ ...part, question })
      default:
        if (control.kind !== 'line' && control.kind !== 'lines') return html``
        return textControl({ ...part, question }, control)
    }
  }

  #under(): TemplateResult {
    const { strings } = this.language
    const { problem, typing, rival } = this
    return html`<div class="under">
      <span id="problem" class="problem">${problem === undefined ? nothing : html`${icon('warning', 18)}${strings.words(problem)}`}</span>
      ${problem === undefined ? html`<span id="hint">${this.#hint()}</span>` : nothing}
      ${rival ? html`<span class="typing">${strings.changedBy(rival.who)}<button class="link" @click=${this.#takeTheirs}>${strings.takeTheirs}</button></span>` : nothing}
      ${typing !== undefined ? html`<span class="typing">${strings.typing(typing)}</span>` : nothing}
      ${this.#canClear() ? html`<button class="link end" @click=${this.#clear}>${strings.clear}</button>` : nothing}
    </div>`
  }

  #hint(): string | typeof nothing {
    const { question, entered } = this
    const { strings } = this.language
    if (isDateTime(question)) return strings.yourTime(Intl.DateTimeFormat().resolvedOptions().timeZone)
    if (question.kind === 'text' && question.max !== undefined && entered.kind === 'text') {
      const length = [...entered.text].length
      return length > question.max * nearlyFull ? strings.length(length, question.max) : nothing
    }
    if (question.kind === 'text' || !('min' in question || 'max' in question)) return nothing
    return (question.kind === 'multi-select' ? strings.choices : strings.range)(question.min, question.max)
  }

  /** A choice that nobody has to make can be taken back. */
  #canClear(): boolean {
    const { question, entered } = this
    const isChoice = question.kind === 'boolean' || question.kind === 'single-select'
    return isChoice && !question.required && !this.isDisabled && read(question, entered).kind !== 'nothing'
  }

  #enter(entered: Entered): void {
    this.entered = entered
    this.dispatchEvent(new CustomEvent('entered', { detail: entered }))
  }

  #clear(): void {
    this.#enter(this.entered.kind === 'text' ? textEntered('') : choiceEntered([]))
  }

  #takeTheirs(): void {
    this.dispatchEvent(new Event('take-theirs'))
  }
}

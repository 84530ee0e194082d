import { type FieldProblem, type Question, visible } from '@beckon/core'
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { type Control, controlFor } from '../../fields/control.js'
import { choiceEntered, type Entered, isDateTime, isSame, read, textEntered } from '../../fields/entered.js'
import { titleOf } from '../../fields/title.js'
import type { Language } from '../../strings/strings.js'
import { icon } from '../icons.js'
import { questionTitle } from '../question-title.js'
import { controls, theme } from '../theme.js'
import { words } from '../untrusted.js'
import { checkboxControl, radioControl, yesNoControl } from './choice-control.js'
import type { ControlPart } from './control-part.js'
import { questionStyles } from './question-styles.js'
import { SearchControl } from './search-control.js'
import { textControl } from './text-control.js'

/** From here on it is worth knowing how much room is left. */
const nearlyFull = 0.75

/** What the parts of a control that has several are together. */
const groupRoles: Partial<Record<Control['kind'], 'group' | 'radiogroup'>> = {
  'yes-no': 'radiogroup',
  radios: 'radiogroup',
  checkboxes: 'group',
}

/** What someone else made of an answer while its person was at it. */
export interface Conflict {
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
    conflict: { attribute: false },
    language: { attribute: false },
    isDisabled: { attribute: false },
  }

  static override styles: CSSResultGroup = [theme, controls, questionStyles]

  declare question: Question
  declare entered: Entered
  declare problem: FieldProblem | undefined
  declare typing: string | undefined
  declare conflict: Conflict | undefined
  declare language: Language
  declare isDisabled: boolean
  readonly #search = new SearchControl(this)
  #hasLines = false

  constructor() {
    super()
    this.addEventListener('focusout', ({ relatedTarget }) => {
      const isWithin = relatedTarget instanceof Node && this.shadowRoot?.contains(relatedTarget)
      if (!isWithin) this.dispatchEvent(new Event('left'))
    })
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('input:checked, input, textarea')?.focus()
  }

  protected override render(): TemplateResult {
    const role = groupRoles[this.#kindOfControl().kind]
    const body = html`${this.#help()}${this.#control()}${this.#unseen()}${this.#under()}`
    if (role === undefined) {
      return html`<div class="head"><label class="title" for="control">${this.#title()}</label>${this.#aside()}</div>
        ${body}`
    }
    const isOne = role === 'radiogroup'
    return html`<div
      role=${role}
      aria-labelledby="title"
      aria-describedby="help problem"
      aria-required=${isOne ? this.question.required === true : nothing}
      aria-invalid=${isOne ? this.problem !== undefined : nothing}
    >
      <div class="head"><span class="title" id="title">${this.#title()}</span>${this.#aside()}</div>
      ${body}
    </div>`
  }

  /** What comes and goes stands beside the title, so that nothing below it moves under anyone's hands. */
  #aside(): TemplateResult {
    const { strings } = this.language
    return html`
      ${this.typing === undefined ? nothing : html`<span class="aside typing">${strings.typing(this.typing)}</span>`}
      ${this.#canGrow() ? html`<button class="aside link" @click=${this.#grow}>${strings.severalLines}</button>` : nothing}
      ${this.#canClear() ? html`<button class="aside link" @click=${this.#clear}>${strings.clear}</button>` : nothing}
    `
  }

  #title(): TemplateResult {
    const { strings } = this.language
    const mark = this.question.required ? strings.required : strings.optional
    const { name } = titleOf(this.question)
    return html`${questionTitle(this.question, strings)}
      ${name === undefined ? nothing : html`<code class="mark">${words(name)}</code>`}<span class="mark">${mark}</span>`
  }

  #help(): TemplateResult | typeof nothing {
    const { message } = this.question
    const isSaid = titleOf(this.question).isMessage || message === ''
    const rule = this.#rule()
    if (isSaid && rule === undefined) return nothing
    return html`<div class="help quiet" id="help">
      ${isSaid ? nothing : html`<p>${words(message)}</p>`}
      ${rule === undefined ? nothing : html`<p>${rule}</p>`}
    </div>`
  }

  /** What an answer has to be, where that can be said beforehand. */
  #rule(): string | undefined {
    const { question } = this
    const { strings } = this.language
    if (isDateTime(question)) return strings.yourTime(Intl.DateTimeFormat().resolvedOptions().timeZone)
    if (question.kind === 'text' || !('min' in question || 'max' in question)) return undefined
    return (question.kind === 'multi-select' ? strings.choices : strings.range)(question.min, question.max)
  }

  #control(): TemplateResult {
    const { question, language } = this
    const part: Omit<ControlPart, 'question'> = {
      entered: this.entered,
      language,
      isInvalid: this.problem !== undefined,
      describedBy: 'help problem room',
      isDisabled: this.isDisabled === true,
      enter: entered => this.#enter(entered),
    }
    const control = this.#kindOfControl()
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
    const { problem, conflict } = this
    return html`<div class="under">
      <span id="problem" class="problem">${problem === undefined ? nothing : html`${icon('warning', 18)}${strings.problem(problem)}`}</span>
      <span id="room">${this.#room()}</span>
      ${conflict ? html`<span class="typing">${strings.changedBy(conflict.who)}<button class="link" @click=${this.#takeTheirs}>${strings.takeTheirs}</button></span>` : nothing}
    </div>`
  }

  /** What a field does not show as it is sent. Its author may have meant that. */
  #unseen(): TemplateResult | typeof nothing {
    const { entered, language } = this
    if (entered.kind !== 'text') return nothing
    const shown = visible(entered.text)
    if (shown === entered.text.replace(/\r\n?/g, '\n')) return nothing
    return html`<p class="unseen problem" role="status">${icon('warning', 18)}<span>${language.strings.unseen} <bdi>${shown}</bdi></span></p>`
  }

  #room(): string | typeof nothing {
    const { question, entered } = this
    if (question.kind !== 'text' || question.max === undefined || entered.kind !== 'text') return nothing
    const length = [...entered.text].length
    return length > question.max * nearlyFull ? this.language.strings.length(length, question.max) : nothing
  }

  /** Someone who wrote several lines keeps a field for them, also when they take them out again. */
  #kindOfControl(): Control {
    const text = this.entered.kind === 'text' ? this.entered.text : ''
    if (text.includes('\n')) this.#hasLines = true
    return controlFor(this.question, this.#hasLines ? `${text}\n` : text)
  }

  #canGrow(): boolean {
    const control = this.#kindOfControl()
    return control.kind === 'line' && control.canGrow === true && !this.isDisabled
  }

  #grow(): void {
    this.#hasLines = true
    this.requestUpdate()
    void this.updateComplete.then(() => this.focus())
  }

  /** A choice that nobody has to make can be taken back. */
  #canClear(): boolean {
    const { question, entered } = this
    const isChoice = question.kind === 'boolean' || question.kind === 'single-select'
    return isChoice && !question.required && !this.isDisabled && read(question, entered).kind !== 'nothing'
  }

  #enter(entered: Entered): void {
    const before = this.#kindOfControl().kind
    this.entered = entered
    this.dispatchEvent(new CustomEvent('entered', { detail: entered }))
    // A person who pasted several lines goes on in the field that has them.
    if (this.#kindOfControl().kind !== before) void this.updateComplete.then(() => this.focus())
  }

  #clear(): void {
    this.#enter(this.entered.kind === 'text' ? textEntered('') : choiceEntered([]))
  }

  #takeTheirs(): void {
    this.dispatchEvent(new Event('take-theirs'))
  }
}

export function defineQuestion(): void {
  if (customElements.get('beckon-question') === undefined) customElements.define('beckon-question', QuestionElement)
}

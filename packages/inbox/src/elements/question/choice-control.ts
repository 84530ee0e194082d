import type { BooleanQuestion, MultiSelectQuestion, Option, SingleSelectQuestion } from '@beckon/core'
import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { choiceEntered, type Entered } from '../../fields/entered.js'
import { typedText } from '../typed-text.js'
import { words } from '../untrusted.js'
import type { ControlPart } from './control-part.js'

type Choice = Extract<Entered, { kind: 'choice' }>

/** Yes or no, each to be chosen: neither is taken for granted. */
export function yesNoControl(part: ControlPart<BooleanQuestion>): TemplateResult {
  const { strings } = part.language
  const { chosen } = choiceOf(part)
  const option = (value: string, label: string): TemplateResult =>
    html`<label class="option half">
      <input
        type="radio"
        name="control"
        .checked=${live(chosen.includes(value))}
        ?disabled=${part.isDisabled}
        @change=${() => part.enter(choiceEntered([value]))}
      /><span>${label}</span>
    </label>`
  return html`<div class="options pair">${option('true', strings.yes)}${option('false', strings.no)}</div>`
}

/** One of a few. */
export function radioControl(part: ControlPart<SingleSelectQuestion>): TemplateResult {
  const { chosen, others } = choiceOf(part)
  const isOther = others.length > 0
  return html`<div class="options">
    ${part.question.options.map(option =>
      optionLine(part, option, {
        type: 'radio',
        isChosen: !isOther && chosen.includes(option.id),
        choose: () => part.enter(choiceEntered([option.id])),
      }),
    )}
    ${part.question.allowFreeformInput ? otherChoice(part, 'radio', () => part.enter(choiceEntered([], ['']))) : nothing}
  </div>`
}

/** Any of several, and answers of one's own where they are wanted. */
export function checkboxControl(part: ControlPart<MultiSelectQuestion>): TemplateResult {
  const { chosen, others } = choiceOf(part)
  return html`<div class="options">
    ${part.question.options.map(option => {
      const isChosen = chosen.includes(option.id)
      const next = (): string[] =>
        part.question.options.map(({ id }) => id).filter(id => (id === option.id ? !isChosen : chosen.includes(id)))
      return optionLine(part, option, {
        type: 'checkbox',
        isChosen,
        choose: () => part.enter(choiceEntered(next(), others)),
      })
    })}
    ${
      part.question.allowFreeformInput
        ? otherChoice(part, 'checkbox', () => part.enter(choiceEntered(chosen, others.length > 0 ? [] : [''])))
        : nothing
    }
  </div>`
}

/** The way to an answer in other words, and a field for each. */
export function otherChoice(
  part: ControlPart<SingleSelectQuestion | MultiSelectQuestion>,
  type: 'radio' | 'checkbox',
  toggle: () => void,
): TemplateResult {
  const { strings } = part.language
  const { chosen, others } = choiceOf(part)
  const isMany = part.question.kind === 'multi-select'
  const fields = isMany && others.at(-1) !== '' && others.length > 0 ? [...others, ''] : others
  const write = (index: number, text: string): void => {
    const next = fields.with(index, text).filter((other, at) => other !== '' || at === index || at === 0)
    part.enter(choiceEntered(isMany ? chosen : [], next))
  }
  return html`<label class="option">
      <input type=${type} name="control" .checked=${live(others.length > 0)} ?disabled=${part.isDisabled} @change=${toggle} />
      <span>${strings.other}</span>
    </label>
    ${fields.map(
      (text, index) =>
        html`<input
          class="other"
          type="text"
          dir="auto"
          autocomplete="off"
          aria-label=${index === 0 ? strings.otherAnswer : strings.anotherAnswer}
          placeholder=${index === 0 ? strings.otherAnswer : strings.anotherAnswer}
          .value=${live(text)}
          ?disabled=${part.isDisabled}
          @input=${(event: Event) => write(index, typedText(event))}
        />`,
    )}`
}

/** The choice that is entered. */
export function choiceOf({ entered }: ControlPart): Choice {
  return entered.kind === 'choice' ? entered : { kind: 'choice', chosen: [], others: [] }
}

function optionLine(
  { isDisabled, language }: ControlPart,
  { label, description, recommended }: Option,
  { type, isChosen, choose }: { type: 'radio' | 'checkbox'; isChosen: boolean; choose: () => void },
): TemplateResult {
  return html`<label class="option">
    <input type=${type} name="control" .checked=${live(isChosen)} ?disabled=${isDisabled} @change=${choose} />
    <span>
      ${words(label)} ${recommended ? html`<span class="badge">${language.strings.suggested}</span>` : nothing}
      ${description ? html`<span class="quiet described">${words(description)}</span>` : nothing}
    </span>
  </label>`
}

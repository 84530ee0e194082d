import type { Answer, Question } from '@beckon/core'
import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { html, nothing, type TemplateResult } from 'lit'
import { isDateTime } from '../../fields/entered.js'
import { moment } from '../../strings/durations.js'
import type { Language } from '../../strings/strings.js'
import { clamp } from '../../text/clamp.js'
import { questionTitle } from '../question-title.js'

/** What an ask that was accepted was answered with. */
export function answersPart({ request, ending }: AskEntry, language: Language): TemplateResult | typeof nothing {
  const { questions = [], answers = {} } = request
  if (questions.length === 0 || ending?.response !== 'accept') return nothing
  return html`<section class="answers">
    <h3 class="quiet">${language.strings.answers}</h3>
    <dl>
      ${questions.map(question => {
        const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined
        const text = textOf(question, answer, language)
        return html`<dt>${questionTitle(question, language.strings)}</dt>
          <dd class="text" dir="auto">${text === undefined ? html`<span class="quiet">${language.strings.noAnswer}</span>` : visible(clamp(text).shown)}</dd>`
      })}
    </dl>
  </section>`
}

function textOf(question: Question, answer: Answer | undefined, { strings, tag }: Language): string | undefined {
  if (answer?.state !== 'submitted') return undefined
  const { value } = answer
  const label = (id: string): string =>
    ('options' in question ? question.options.find(option => option.id === id)?.label : undefined) ?? id
  switch (value.kind) {
    case 'boolean':
      return value.value ? strings.yes : strings.no
    case 'number':
      return new Intl.NumberFormat(tag, { maximumFractionDigits: 20 }).format(value.value)
    case 'selected':
      return value.freeformValues?.[0] ?? label(value.value)
    case 'selected-many':
      return new Intl.ListFormat(tag).format([...value.value.map(label), ...(value.freeformValues ?? [])]) || undefined
    default: {
      const at = isDateTime(question) ? Date.parse(value.value) : Number.NaN
      return Number.isNaN(at) ? value.value : moment(at, tag)
    }
  }
}

// What stands in the control of a question, before it is an answer: half a number, a date in the person's own time, a
// choice of their own that has no words yet.
import type { Answer, Question, Value } from '@beckon/core'
import { dateTimeFrom, localFrom } from './local-time.js'

export type Entered =
  | { readonly kind: 'text'; readonly text: string }
  /** Also for yes or no, as `true` and `false`. An empty text among the others is one that is being written. */
  | { readonly kind: 'choice'; readonly chosen: readonly string[]; readonly others: readonly string[] }

/** What an entry comes to: nothing, a value, or a text that is not a value of this kind. */
export type Read =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'unreadable' }

const nothing: Read = { kind: 'nothing' }

export function textEntered(text: string): Entered {
  return { kind: 'text', text }
}

export function choiceEntered(chosen: readonly string[], others: readonly string[] = []): Entered {
  return { kind: 'choice', chosen, others }
}

/** What a control shows for an answer; without one, the question's own proposal. */
export function enteredFrom(question: Question, answer: Answer | undefined): Entered {
  if (answer === undefined) return proposed(question)
  if (answer.state === 'skipped') return empty(question)
  const { value } = answer
  switch (value.kind) {
    case 'text':
      return textEntered(isDateTime(question) ? localFrom(value.value) : value.value)
    case 'number':
      return textEntered(String(value.value))
    case 'boolean':
      return choiceEntered([String(value.value)])
    case 'selected':
      return value.freeformValues?.length ? choiceEntered([], value.freeformValues) : choiceEntered([value.value])
    default:
      return choiceEntered(value.value, value.freeformValues)
  }
}

/** The value of an entry. Numbers are read as the person's language writes them. */
export function read(question: Question, entered: Entered, tag = 'en'): Read {
  if (entered.kind === 'choice') return readChoice(question, entered)
  const { text } = entered
  if (question.kind !== 'number' && question.kind !== 'integer') {
    if (text === '') return nothing
    return { kind: 'value', value: { kind: 'text', value: isDateTime(question) ? dateTimeFrom(text) : text } }
  }
  const trimmed = text.trim()
  if (trimmed === '') return nothing
  const value = Number(decimalComma(tag) ? trimmed.replace(/^([+-]?\d+),(\d+)$/, '$1.$2') : trimmed)
  return Number.isFinite(value) ? { kind: 'value', value: { kind: 'number', value } } : { kind: 'unreadable' }
}

export function isSame(a: Entered, b: Entered): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

export function isDateTime(question: Question): boolean {
  return question.kind === 'text' && question.format === 'date-time'
}

function readChoice(question: Question, { chosen, others }: Extract<Entered, { kind: 'choice' }>): Read {
  const [first] = chosen
  const words = others.filter(text => text.trim() !== '')
  if (question.kind === 'boolean')
    return first === undefined ? nothing : { kind: 'value', value: { kind: 'boolean', value: first === 'true' } }
  if (question.kind === 'multi-select') {
    if (chosen.length + words.length === 0) return nothing
    const freeform = words.length > 0 ? { freeformValues: words } : {}
    return { kind: 'value', value: { kind: 'selected-many', value: [...chosen], ...freeform } }
  }
  const [other] = words
  if (other !== undefined) return { kind: 'value', value: { kind: 'selected', value: '', freeformValues: [other] } }
  return first === undefined ? nothing : { kind: 'value', value: { kind: 'selected', value: first } }
}

function proposed(question: Question): Entered {
  switch (question.kind) {
    case 'boolean':
      return choiceEntered(question.defaultValue === undefined ? [] : [String(question.defaultValue)])
    case 'single-select':
      return choiceEntered(suggestedIn(question).slice(0, 1))
    case 'multi-select':
      return choiceEntered(suggestedIn(question))
    default: {
      const text = String(question.defaultValue ?? '')
      return textEntered(isDateTime(question) ? localFrom(text) : text)
    }
  }
}

function suggestedIn({ options }: Extract<Question, { options: unknown }>): string[] {
  return options.filter(({ recommended }) => recommended).map(({ id }) => id)
}

function empty(question: Question): Entered {
  return question.kind === 'boolean' || 'options' in question ? choiceEntered([]) : textEntered('')
}

function decimalComma(tag: string): boolean {
  return new Intl.NumberFormat(tag).format(1.5).includes(',')
}

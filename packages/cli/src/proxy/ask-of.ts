// An ask of a host as servers put them: its questions are a form again.
import { randomUUID } from 'node:crypto'
import type { Field, Form, Option, Question } from '@beckon/core'
import type { DeskRequest } from '@beckon/host'
import type { DeskPlace } from 'beckon/desk/adapter'

type Ask = Parameters<DeskPlace['ask']>[1]

export function askOf({ message, url, questions = [] }: DeskRequest): Ask {
  if (url !== undefined) return { kind: 'url', message, url, elicitationId: randomUUID() }
  return questions.length === 0
    ? { kind: 'confirm', message }
    : { kind: 'form', message, form: formOfQuestions(questions) }
}

function formOfQuestions(questions: readonly Question[]): Form {
  return {
    type: 'object',
    properties: Object.fromEntries(questions.map(question => [question.id, fieldOf(question)])),
    required: questions.flatMap(({ id, required }) => (required ? [id] : [])),
  }
}

function fieldOf(question: Question): Field {
  const { id, title = id, message } = question
  const about = { title, ...(message !== title && { description: message }) }
  switch (question.kind) {
    case 'text': {
      const { format, min, max, defaultValue } = question
      // The desk refuses a format that is none.
      const rules = given({ format, minLength: min, maxLength: max, default: defaultValue })
      return { type: 'string', ...about, ...rules } as Field
    }
    case 'number':
    case 'integer': {
      const { kind, min, max, defaultValue } = question
      return { type: kind, ...about, ...given({ minimum: min, maximum: max, default: defaultValue }) }
    }
    case 'boolean':
      return { type: 'boolean', ...about, ...given({ default: question.defaultValue }) }
    case 'single-select': {
      const [preset] = presetOf(question.options)
      return { type: 'string', ...about, oneOf: question.options.map(choiceOf), ...given({ default: preset }) }
    }
    case 'multi-select': {
      const { options, min, max } = question
      const preset = presetOf(options)
      const rules = given({ minItems: min, maxItems: max, default: preset.length > 0 ? preset : undefined })
      return { type: 'array', ...about, items: { anyOf: options.map(choiceOf) }, ...rules }
    }
  }
}

function choiceOf({ id, label }: Option): { const: string; title: string } {
  return { const: id, title: label }
}

function presetOf(options: readonly Option[]): string[] {
  return options.flatMap(({ id, recommended }) => (recommended ? [id] : []))
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
}

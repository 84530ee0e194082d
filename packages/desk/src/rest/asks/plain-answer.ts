import type { Question } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'

/**
 * A plain JSON value as the answer to a question, in the words of the live protocol; null is a question that is skipped.
 * A value that does not fit keeps its shape: the check of the answer says what is wrong with it.
 */
export function plainAnswer(question: Question, value: unknown, state: 'draft' | 'submitted' = 'submitted'): object {
  return value === null ? { state: 'skipped' } : { state, value: valueFor(question, value) }
}

function valueFor(question: Question, value: unknown): object {
  switch (question.kind) {
    case 'text':
    case 'boolean':
      return { kind: question.kind, value }
    case 'single-select':
      return question.allowFreeformInput && typeof value === 'string' && !isOption(question.options, value)
        ? { kind: 'selected', value: '', freeformValues: [value] }
        : { kind: 'selected', value }
    case 'multi-select': {
      if (!question.allowFreeformInput || !Array.isArray(value)) return { kind: 'selected-many', value }
      const isFree = (item: unknown) => typeof item === 'string' && !isOption(question.options, item)
      return {
        kind: 'selected-many',
        value: value.filter(item => !isFree(item)),
        freeformValues: value.filter(isFree),
      }
    }
    default:
      return { kind: 'number', value }
  }
}

function isOption(options: unknown, id: string): boolean {
  return Array.isArray(options) && options.some(option => isRecord(option) && option.id === id)
}

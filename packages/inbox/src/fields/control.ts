import type { Question } from '@beckon/core'

/** How a question is put: which control a person gets for it. */
export type Control =
  | {
      readonly kind: 'line'
      readonly type: 'text' | 'email' | 'url' | 'date' | 'datetime-local'
      readonly mode?: 'decimal' | 'numeric'
      /** Whether it may become several lines, when someone wants that. */
      readonly canGrow?: true
    }
  /** Several lines; it begins with as many as the text may need. */
  | { readonly kind: 'lines'; readonly rows: number }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'radios' | 'checkboxes' | 'search' }

const lineTypes = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const
const maxRadios = 6
const longText = 200

/**
 * The control for a question. A text with no bound has one line until there is more than one in it; one of many options is
 * searched for.
 */
export function controlFor(question: Question, text = ''): Control {
  switch (question.kind) {
    case 'boolean':
      return { kind: 'yes-no' }
    case 'number':
      return { kind: 'line', type: 'text', mode: 'decimal' }
    case 'integer':
      return { kind: 'line', type: 'text', mode: 'numeric' }
    case 'single-select':
      return { kind: question.options.length > maxRadios ? 'search' : 'radios' }
    case 'multi-select':
      return { kind: 'checkboxes' }
    default: {
      const { format = '', max = Infinity } = question
      if (isLineFormat(format)) return { kind: 'line', type: lineTypes[format] }
      if (max <= longText) return { kind: 'line', type: 'text' }
      if (max !== Infinity) return { kind: 'lines', rows: 4 }
      return text.includes('\n') ? { kind: 'lines', rows: 3 } : { kind: 'line', type: 'text', canGrow: true }
    }
  }
}

function isLineFormat(format: string): format is keyof typeof lineTypes {
  return Object.hasOwn(lineTypes, format)
}

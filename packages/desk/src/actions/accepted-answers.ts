// The answers that an accept comes to. A form that asks whether a call may run has its arguments as they are: what a person does not
// touch stays, whether or not their client says it again. Else an accept without a word would have a call run without arguments.
import type { Answer, Question, Value } from '@beckon/core'
import type { Ask } from '../model/session.js'

type Answers = Ask['drafts']

/** Those given, and for a call that may run those proposed that nobody has answered; to skip one takes it out. */
export function acceptedAnswers({ request, drafts }: Ask, given: Answers = {}): Answers {
  if (request._meta?.['beckon/approves'] !== true) return given
  const isOpen = ({ id }: Question) =>
    !Object.hasOwn(given, id) && (!Object.hasOwn(drafts, id) || drafts[id]?.state === 'draft')
  const proposed = (request.questions ?? []).filter(isOpen).flatMap((question): [string, Answer][] => {
    const value = proposedTo(question)
    return value === undefined ? [] : [[question.id, { state: 'submitted', value }]]
  })
  return { ...Object.fromEntries(proposed), ...given }
}

function proposedTo(question: Question): Value | undefined {
  switch (question.kind) {
    case 'text':
      return question.defaultValue === undefined ? undefined : { kind: 'text', value: question.defaultValue }
    case 'boolean':
      return question.defaultValue === undefined ? undefined : { kind: 'boolean', value: question.defaultValue }
    case 'number':
    case 'integer':
      return question.defaultValue === undefined ? undefined : { kind: 'number', value: question.defaultValue }
    default: {
      const chosen = question.options.filter(({ recommended }) => recommended).map(({ id }) => id)
      const [first] = chosen
      if (first === undefined) return undefined
      return question.kind === 'single-select'
        ? { kind: 'selected', value: first }
        : { kind: 'selected-many', value: chosen }
    }
  }
}

import { isRecord } from '../collections/record.js'
import { type Issue, inWords } from '../errors/index.js'
import type { Form } from './form.js'
import { prefill } from './prefill.js'

/** An answer that did not fit, and why. */
export interface Refused {
  readonly content: unknown
  readonly issues: readonly Issue[]
  /** The fields that are asked for although they look like secrets. */
  readonly allow?: readonly string[] | undefined
}

/**
 * An ask to be put once more: it says why, and its fields start with what the person sent. A field that they left empty
 * is empty, whatever it had been filled with before.
 *
 * What looks like a secret is typed again. Its author says that it is none, but neither they nor we know what the person
 * took it for; and an ask is kept, and shown to others, in places where an answer is not.
 */
export function askAgain<A extends { question: string; form: Form }>(
  ask: A,
  { content, issues, allow = [] }: Refused,
): A {
  const question = `${ask.question}\n\nThe last answer did not fit. ${inWords(issues)}`
  if (!isRecord(content)) return { ...ask, question }
  const isShown = (name: string) => !allow.includes(name)
  const emptied = Object.entries(ask.form.properties).map(([name, field]) => {
    const { default: _, ...empty } = field
    return [name, isShown(name) && !Object.hasOwn(content, name) ? empty : field]
  })
  const typed = Object.fromEntries(Object.entries(content).filter(([name]) => isShown(name)))
  const form = prefill({ ...ask.form, properties: Object.fromEntries(emptied) }, typed)
  return { ...ask, question, form }
}

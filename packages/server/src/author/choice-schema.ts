// `choices()`: one of many, or one of what changes. No form holds a hundred thousand options, so a person searches among them.
import type { AskSchema, FormSchema, Outcome } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { Call } from '../call/call.js'
import type { AskSettings } from './ask-person.js'

/** One of what can be chosen. */
export interface Choice {
  readonly value: string
  /** What a person reads. Default: the value. */
  readonly label?: string | undefined
}

/** What can be chosen: a list, or a function that finds the best matches for what a person writes; for nothing, the first ones. */
export type ChoiceSource =
  | readonly (string | Choice)[]
  | ((search: string) => Promise<readonly (string | Choice)[]> | readonly (string | Choice)[])

/** What is asked on a page where someone searches. */
interface ChoiceAsk {
  readonly question: string
  readonly show?: readonly Block[] | undefined
  readonly timeoutMs?: number | undefined
  readonly title: string
  readonly maxShown: number
}

/** What can be chosen, with a page of our own to search it on: `choicePage` of `beckon/choices` makes one. */
export interface ChoicePage {
  readonly name: string
  readonly source: ChoiceSource
  /** What a person did there; undefined when its time was over. */
  ask(call: Call, settings: AskSettings, ask: ChoiceAsk): Promise<Outcome<string> | undefined>
}

/** What `choices()` makes. */
export interface ChoiceSchema extends FormSchema {
  readonly type: 'choice'
  readonly source: ChoiceSource
  /** Where it is searched, if the client can open pages. */
  readonly page: ChoicePage | undefined
  readonly title: string
  readonly maxShown: number
  /** Only in types: what the answer is. */
  readonly '~answer'?: string
}

export interface ChoicesOptions {
  /** Over what is chosen from. Default: `Choice`. */
  readonly title?: string | undefined
  /** So many matches are shown at a time. Default: 20, and 100 at most. */
  readonly maxShown?: number | undefined
}

/** A longer list is searched. */
export const maxListed = 100

/**
 * One of a list of any length, or of what a function finds. Up to 100 options are a plain choice; in more a person searches: in
 * the question itself, or with `choicePage` on a page of our own.
 * @example
 * const city = await ctx.elicit({ question: 'Where to?', schema: choices(async search => db.cities(search, 20)) })
 */
export function choices(
  given: ChoiceSource | ChoicePage,
  { title = 'Choice', maxShown = 20 }: ChoicesOptions = {},
): ChoiceSchema {
  const page = 'source' in given ? given : undefined
  const source = 'source' in given ? given.source : given
  if (typeof source !== 'function' && source.length === 0) throw new TypeError('There is nothing to choose from.')
  if (!Number.isInteger(maxShown) || maxShown < 1 || maxShown > maxListed)
    throw new TypeError(`\`maxShown\` is a whole number, and ${maxListed} at most.`)
  return { type: 'choice', source, page, title, maxShown }
}

/** A schema that `choices()` made; undefined for any other. */
export function choiceIn(schema: AskSchema): ChoiceSchema | undefined {
  return isChoice(schema) ? schema : undefined
}

function isChoice(schema: object): schema is ChoiceSchema {
  return 'type' in schema && schema.type === 'choice' && 'source' in schema
}

/** A choice with its label. */
export interface LabelledChoice {
  readonly value: string
  readonly label: string
}

const maxLabelChars = 200

export function labelled(choice: string | Choice): LabelledChoice {
  return { value: typeof choice === 'string' ? choice : choice.value, label: labelOf(choice) }
}

/** What a person reads, of a length that a list has room for. */
export function labelOf(choice: string | Choice): string {
  const label = typeof choice === 'string' ? choice : (choice.label ?? choice.value)
  return label.length > maxLabelChars ? label.slice(0, maxLabelChars) : label
}

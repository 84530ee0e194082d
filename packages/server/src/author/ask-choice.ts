// A choice among more than a form can hold: the first or best matches are a plain choice, beside a field to search for others,
// and it is asked again until something is chosen. So it works in every client, and nobody chooses what they were not shown.
import { AnswerInvalidError, type FormSchema, type Outcome } from '@beckon/core'
import { bestMatches } from './best-matches.js'
import { type ChoicePage, type ChoiceSchema, type LabelledChoice, labelled, maxListed } from './choice-schema.js'

/** What asking for a choice takes. */
export interface ChoiceSteps {
  /** Asks for a form, once. */
  ask(question: string, schema: FormSchema, initial: object): Promise<Outcome<unknown>>
  /** Asks on a page of our own; undefined where the client can open none. */
  askOnPage: ((page: ChoicePage) => Promise<Outcome<unknown>>) | undefined
  /** Remembers what a function found, so that a replay finds the same. */
  remember(find: () => Promise<LabelledChoice[]>): Promise<LabelledChoice[]>
}

/** Whoever has not found it by then is not going to. */
const maxSearches = 20
const maxSearchChars = 200

export async function askChoice(
  { source, page, title, maxShown }: ChoiceSchema,
  question: string,
  steps: ChoiceSteps,
): Promise<Outcome<unknown>> {
  const isList = typeof source !== 'function'
  if (isList && source.length <= maxListed) {
    const outcome = await steps.ask(question, formOf(title, source.map(labelled), false), {})
    return outcome.action === 'accept' ? chosen(outcome, outcome.content) : outcome
  }
  if (page !== undefined && steps.askOnPage !== undefined) return steps.askOnPage(page)
  const look = (search: string) =>
    isList
      ? bestMatches(source, search, maxShown)
      : steps.remember(async () => (await source(search)).slice(0, maxShown).map(labelled))
  let search = ''
  for (let searches = 0; searches < maxSearches; searches++) {
    const found = await look(search)
    const words = `${question}\n\n${wordsFor(found.length, search, isList ? source.length : undefined)}`
    const outcome = await steps.ask(words, formOf(title, found, true), search === '' ? {} : { search })
    if (outcome.action !== 'accept') return outcome
    const { choice, search: next = '' } = outcome.content as { choice?: string; search?: string }
    if (choice !== undefined) return chosen(outcome, outcome.content)
    search = next
  }
  throw new AnswerInvalidError([{ path: ['choice'], message: 'Nothing was chosen.' }])
}

/** What a person wrote is in the field where they wrote it, and not in the question. */
function wordsFor(found: number, search: string, total: number | undefined): string {
  const more = 'Choose one, or search for another.'
  if (search === '') return total === undefined ? more : `These are the first ${found} of ${total}. ${more}`
  return found === 0 ? 'Nothing matches. Search for something else.' : `These match best. ${more}`
}

function formOf(title: string, found: readonly LabelledChoice[], isSearched: boolean): FormSchema {
  const options = [...new Map(found.map(({ value, label }) => [value, { const: value, title: label }])).values()]
  const choice = options.length === 0 ? {} : { choice: { type: 'string', title, oneOf: options } }
  const search = isSearched ? { search: { type: 'string', title: 'Search', maxLength: maxSearchChars } } : {}
  return { type: 'object', properties: { ...choice, ...search }, required: isSearched ? [] : ['choice'] }
}

function chosen(outcome: Extract<Outcome<unknown>, { action: 'accept' }>, content: unknown): Outcome<unknown> {
  return { ...outcome, content: (content as { choice: string }).choice }
}

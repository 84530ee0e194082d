// A choice among more than a form can hold: the first or best matches are a plain choice, beside a field to search for others,
// and it is asked again until something is chosen. So it works in every client, and nobody chooses what they were not shown.
import { AnswerInvalidError, type FormSchema, type Outcome } from '@beckon/core'
import { maxSearchChars } from '@beckon/core/widgets'
import { bestMatches, lookFor } from './best-matches.js'
import { type ChoicePage, type ChoiceSchema, type LabelledChoice, labelled, maxListed } from './choice-schema.js'

/** What asking for a choice takes. */
export interface ChoiceSteps {
  /** Asks for a form, once; with a handle, in a page that may search by it. */
  ask(asked: ChoiceForm): Promise<Outcome<ChoiceContent>>
  /** Asks on a page of our own; undefined where the client can open none. */
  askOnPage: ((page: ChoicePage) => Promise<Outcome<unknown>>) | undefined
  /** Remembers what a function found, so that a replay finds the same. */
  remember(find: () => Promise<LabelledChoice[]>): Promise<LabelledChoice[]>
  /** A handle by which the page of a widget searches while someone types; undefined where no page would. */
  offer(choice: ChoiceSchema): Promise<string> | undefined
}

/** What a person filled in. */
export interface ChoiceContent {
  readonly choice?: string
  readonly search?: string
  /** A value that is not listed, and the search that found it. */
  readonly other?: string
}

/** The form of a choice. */
interface ChoiceForm {
  readonly question: string
  readonly schema: FormSchema
  readonly initial: object
  readonly find?: string | undefined
}

/** Someone who has not found it by then is not going to. */
const maxSearches = 20
/** Of a value that a search found. */
const maxValueChars = 1_000

export async function askChoice(choice: ChoiceSchema, question: string, steps: ChoiceSteps): Promise<Outcome<unknown>> {
  const { source, page, title, maxShown } = choice
  const isList = typeof source !== 'function'
  if (isList && source.length <= maxListed) {
    const schema = formOf(title, source.map(labelled), 'listed')
    const outcome = await steps.ask({ question, schema, initial: {} })
    return outcome.action === 'accept' ? chosen(outcome, outcome.content.choice) : outcome
  }
  if (page !== undefined && steps.askOnPage !== undefined) return steps.askOnPage(page)
  const look = (search: string) =>
    isList ? bestMatches(source, search, maxShown) : steps.remember(() => lookFor(source, search, maxShown))
  const find = await steps.offer(choice)
  let search = ''
  for (let searches = 0; searches < maxSearches; searches++) {
    const found = await look(search)
    const words = `${question}\n\n${wordsFor(found.length, search, isList ? source.length : undefined)}`
    const schema = formOf(title, found, find === undefined ? 'searched' : 'searched as one types')
    const outcome = await steps.ask({ question: words, schema, initial: search === '' ? {} : { search }, find })
    if (outcome.action !== 'accept') return outcome
    const { choice: listed, other, search: next = '' } = outcome.content
    if (listed !== undefined) return chosen(outcome, listed)
    // It was found in between: it counts if the same search finds it here.
    if (other !== undefined && (await look(next)).some(({ value }) => value === other)) return chosen(outcome, other)
    search = next === '' ? (other ?? '').slice(0, maxSearchChars) : next
  }
  throw new AnswerInvalidError([{ path: ['choice'], message: 'Nothing was chosen.' }])
}

/** What a person wrote is in the field where they wrote it, and not in the question. */
function wordsFor(found: number, search: string, total: number | undefined): string {
  const more = 'Choose one, or search for another.'
  if (search === '') return total === undefined ? more : `These are the first ${found} of ${total}. ${more}`
  return found === 0 ? 'Nothing matches. Search for something else.' : `These match best. ${more}`
}

function formOf(title: string, found: readonly LabelledChoice[], how: How): FormSchema {
  const options = [...new Map(found.map(({ value, label }) => [value, { const: value, title: label }])).values()]
  const choice = options.length === 0 ? {} : { choice: { type: 'string', title, oneOf: options } }
  if (how === 'listed') return { type: 'object', properties: choice, required: ['choice'] }
  const search = { type: 'string', title: 'Search', maxLength: maxSearchChars }
  const other = { type: 'string', title: 'Other', description: otherWords, maxLength: maxValueChars }
  return {
    type: 'object',
    properties: { ...choice, search, ...(how === 'searched as one types' && { other }) },
    required: [],
  }
}

type How = 'listed' | 'searched' | 'searched as one types'

const otherWords = 'The value of one that the search finds, and that is not listed.'

function chosen(outcome: Extract<Outcome<unknown>, { action: 'accept' }>, value: unknown): Outcome<unknown> {
  return { ...outcome, content: value }
}

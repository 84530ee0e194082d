// A page of our own where someone searches among more than a form can hold. Threat: a choice that nobody offered. What is sent is
// looked for again, with the search that it was found by, in whichever process gets it. A value goes by its digest, since a page shows
// some characters in another way.
import type { Outcome } from '@beckon/core'
import { maxSearchChars } from '@beckon/core/widgets'
import { lookFor } from '../author/best-matches.js'
import type { ChoicePage, ChoiceSource, LabelledChoice } from '../author/choice-schema.js'
import { digest } from '../crypto/digest.js'
import { flowsIn } from '../flows/flows.js'
import { type Flow, type FlowEnd, runFlowOf, type Visit } from '../flows/index.js'
import { type Html, html } from '../pages/index.js'
import { searchScript } from './search-script.js'

/** How long a person may take to find it. */
const defaultTimeoutMs = 60 * 60 * 1000

/**
 * A list of any length, or a function that finds the best matches, with a page to search it on. Give it to the server, since any
 * of its processes may serve the page, and to `choices`.
 * @param name small letters, digits and dashes: it is in the address of the page
 * @example
 * const cities = choicePage('cities', search => db.cities(search))
 * const server = createServer({ name: 'travel', version: '1.0.0', choicePages: [cities] })
 * // in a handler: await ctx.elicit({ question: 'Where to?', schema: choices(cities) })
 */
export function choicePage(name: string, source: ChoiceSource): ChoicePage & { readonly flow: Flow } {
  const flow: Flow<Asked, Chosen> = { name: `choose-${name}`, endsBy: 'page', page }

  async function page(visit: SearchVisit): Promise<Response> {
    const { form } = visit
    const asked = visit.flow.data
    if (form?.get('do') === 'decline') return end(visit, { declined: true })
    const search = (form?.get('search') ?? '').slice(0, maxSearchChars)
    const found = await lookFor(source, search, asked.maxShown)
    const choice = form?.get('do') === 'choose' ? form.get('choice') : undefined
    const chosen = found.find(({ value }) => digest(value) === choice)
    if (chosen !== undefined) return end(visit, { choice: chosen.value })
    return searchPage(visit, { ...asked, search, found, isMissing: choice !== undefined })
  }

  return {
    name,
    source,
    flow,
    async ask(call, settings, { question, show, timeoutMs = defaultTimeoutMs, title, maxShown }) {
      if (flowsIn(settings)?.known.get(flow.name) !== flow)
        throw new TypeError(
          `The page to search "${name}" is served by no one: createServer({ choicePages: [${name}] }).`,
        )
      const begin = () => ({ data: { title, maxShown } })
      const options = { message: question, about: name, show, timeoutMs, begin }
      return outcomeOf(await runFlowOf({ call, settings }, flow, options))
    },
  }
}

async function end(visit: SearchVisit, result: Chosen): Promise<Response> {
  return (await visit.flow.complete(result)) ? visit.pages.done() : visit.again()
}

/** What a person did; undefined when the time was over. */
function outcomeOf(end: FlowEnd<Chosen>): Outcome<string> | undefined {
  if (end.kind === 'expired') return undefined
  if (end.kind === 'declined') return { action: 'decline', ...(end.reason !== undefined && { reason: end.reason }) }
  if (end.kind === 'cancelled') return { action: 'cancel' }
  if (end.kind !== 'done') throw new Error(end.kind === 'failed' ? end.reason : 'No page can be opened.')
  const { result } = end
  return result !== null && 'choice' in result ? { action: 'accept', content: result.choice } : { action: 'decline' }
}

interface Asked {
  readonly title: string
  readonly maxShown: number
}

type Chosen = { readonly choice: string } | { readonly declined: true }

type SearchVisit = Visit<Asked, Chosen>

interface Found extends Asked {
  readonly search: string
  readonly found: readonly LabelledChoice[]
  /** Something was to be chosen, and is not among them. */
  readonly isMissing: boolean
}

function searchPage({ flow, csrf, headers, pages }: Visit, found: Found): Response {
  return pages.show({
    title: found.title,
    status: found.isMissing ? 422 : 200,
    headers,
    script: searchScript,
    connects: true,
    body: html`<h1>${found.title}</h1>
<p class="message">${flow.message}</p>
<form method="post" data-search>${csrf}
<div class="field"><label for="search">Search</label>
<input type="search" id="search" name="search" value="${found.search}" maxlength="${maxSearchChars}" autocomplete="off" aria-controls="found"></div>
<button class="second" name="do" value="search">Search</button>
<div id="found">${foundPart(found)}</div>
<button name="do" value="choose">Choose</button></form>
<form method="post">${csrf}<button class="second" name="do" value="decline">Decline</button></form>`,
  })
}

function foundPart({ found, search, title, isMissing, maxShown }: Found): Html {
  const said =
    found.length === 0
      ? 'Nothing matches. Search for something else.'
      : `${found.length === maxShown ? 'The first ' : ''}${found.length}${search === '' ? '' : ' that match'}.`
  return html`${isMissing && html`<p class="problem" role="alert">Choose one of these.</p>`}
<p class="quiet" role="status">${said}</p>
<fieldset class="field"><legend>${title}</legend>${found.map(
    ({ value, label }) =>
      html`<label class="choice"><input type="radio" name="choice" value="${digest(value)}"> <bdi>${label}</bdi></label>`,
  )}</fieldset>`
}

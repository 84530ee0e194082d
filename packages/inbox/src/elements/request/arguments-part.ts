import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { html, nothing, type TemplateResult } from 'lit'
import { isDestructive } from '../../list/rows.js'
import type { Language } from '../../strings/strings.js'
import { clamp, sizeOf } from '../../text/clamp.js'
import { namedValues } from '../../text/named-values.js'

/** As many characters as are shown without being asked for. */
const shortArguments = 240
const maxArgumentChars = 20_000
/** Far longer ones are drawn when someone wants them. */
const maxDrawnChars = 100_000

export interface ArgumentsPart {
  readonly ask: AskEntry
  readonly language: Language
  /** Whether someone wants to see even what is very long. */
  readonly isWhole: boolean
  showWhole(): void
}

/** Whether everything that a destructive tool was called with stands on the page: until then it cannot be accepted. */
export function showsAllArguments(ask: AskEntry, isWhole: boolean): boolean {
  return isWhole || !isDestructive(ask) || textOf(ask).length <= maxDrawnChars
}

/**
 * What the tool was called with: by name where each is one value or a list of them, else as it was sent. Of a tool that can
 * destroy something nothing is folded away or cut.
 */
export function argumentsPart(part: ArgumentsPart): TemplateResult | typeof nothing {
  const { ask, language } = part
  const { strings } = language
  const text = textOf(ask)
  if (text === '') return nothing
  if (isDestructive(ask)) {
    return html`<section class="arguments">
      <h3 class="quiet">${strings.arguments}</h3>
      ${showsAllArguments(ask, part.isWhole) ? listOf(ask, text, Number.POSITIVE_INFINITY) : wayToAll(part, text)}
    </section>`
  }
  return html`<details ?open=${text.length <= shortArguments}>
    <summary>${strings.arguments}</summary>
    ${listOf(ask, text, maxArgumentChars)}
  </details>`
}

function listOf({ request }: AskEntry, text: string, maxChars: number): TemplateResult {
  const named = namedValues(request._meta?.['beckon/arguments'])
  if (named === undefined) return html`<pre dir="ltr" tabindex="0">${visible(clamp(text, maxChars).shown)}</pre>`
  return html`<dl class="given" tabindex=${text.length > shortArguments ? '0' : nothing}>
    ${named.map(([name, value]) => html`<dt><bdi>${visible(name)}</bdi></dt><dd><bdi>${visible(clamp(value, maxChars).shown)}</bdi></dd>`)}
  </dl>`
}

function wayToAll({ language: { strings, tag }, showWhole }: ArgumentsPart, text: string): TemplateResult {
  return html`<p class="quiet">${strings.argumentsFirst}</p>
    <button class="small" id="all-arguments" @click=${showWhole}>${strings.showAll(sizeOf(text, tag))}</button>`
}

/** What was sent, to be read; empty where that is nothing. */
function textOf({ request }: AskEntry): string {
  const given = request._meta?.['beckon/arguments']
  const text = given === undefined ? '' : JSON.stringify(given, null, 2)
  return text === '{}' ? '' : text
}

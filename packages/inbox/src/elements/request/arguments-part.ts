import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { html, nothing, type TemplateResult } from 'lit'
import type { Language } from '../../strings/strings.js'
import { clamp } from '../../text/clamp.js'
import { namedValues } from '../../text/named-values.js'

/** As many characters as are shown without being asked for. */
const shortArguments = 240
const maxArgumentChars = 20_000

/** What the tool was called with: by name where each is one value or a list of them, else as it was sent. */
export function argumentsPart({ request }: AskEntry, { strings }: Language): TemplateResult | typeof nothing {
  const given = request._meta?.['beckon/arguments']
  if (given === undefined || JSON.stringify(given) === '{}') return nothing
  const text = JSON.stringify(given, null, 2)
  const named = namedValues(given)
  return html`<details ?open=${text.length <= shortArguments}>
    <summary>${strings.arguments}</summary>
    ${
      named === undefined
        ? html`<pre dir="ltr" tabindex="0">${visible(clamp(text, maxArgumentChars).shown)}</pre>`
        : html`<dl class="given">${named.map(([name, value]) => html`<dt><bdi>${visible(name)}</bdi></dt><dd><bdi>${visible(clamp(value, maxArgumentChars).shown)}</bdi></dd>`)}</dl>`
    }
  </details>`
}

import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { html, nothing, type TemplateResult } from 'lit'
import type { Strings } from '../../strings/en.js'
import { clamp } from '../../text/clamp.js'

const maxResultChars = 4_000

/** How the call ended that an ask was about, as its server says. */
export function reportPart({ report }: AskEntry, strings: Strings): TemplateResult | typeof nothing {
  if (report === undefined) return nothing
  const isFailed = report.status === 'failed'
  const { text = '' } = report
  return html`<section class="result" role="status">
    <h3 class="quiet">${isFailed ? strings.toolFailed : strings.callDone}</h3>
    ${text === '' ? nothing : html`<pre dir="auto" tabindex="0" class="text ${isFailed ? 'failure' : ''}">${visible(clamp(legible(text), maxResultChars).shown)}</pre>`}
  </section>`
}

/** JSON with room between its parts; any other text as it is. */
export function legible(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

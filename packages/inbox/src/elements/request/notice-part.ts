import { visible } from '@beckon/core'
import { html, nothing, type TemplateResult } from 'lit'
import type { Notice } from '../../live/local-asks.js'
import type { Strings } from '../../strings/en.js'
import { icon } from '../icons.js'

/** Why an answer was not sent, or not taken; or that it counts, and more are needed. */
export function noticePart(
  toFix: number,
  notice: Notice | undefined,
  strings: Strings,
): TemplateResult | typeof nothing {
  if (toFix > 0) return html`<p class="note refused" role="alert">${icon('warning')}${strings.fixFirst(toFix)}</p>`
  if (notice?.kind !== 'refused') return nothing
  // What the desk says may quote a question, which others wrote.
  const text = visible(strings.refused(notice))
  return notice.code === 'recorded'
    ? html`<p class="note" role="status">${icon('check')}<span>${text}</span></p>`
    : html`<p class="note refused" role="alert">${icon('warning')}<span>${text}</span></p>`
}

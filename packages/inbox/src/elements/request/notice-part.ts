import { visible } from '@beckon/core'
import { html, nothing, type TemplateResult } from 'lit'
import type { Notice } from '../../live/local-asks.js'
import type { Strings } from '../../strings/en.js'
import { icon } from '../icons.js'

/** What the desk says of an accept that is one of several. */
const recorded = /^recorded(?:, (\d+) of (\d+))?$/

/** Why an answer was not sent, or not taken; or that it counts, and more are needed. */
export function noticePart(
  toFix: number,
  notice: Notice | undefined,
  strings: Strings,
): TemplateResult | typeof nothing {
  if (toFix > 0) return html`<p class="note refused" role="alert">${icon('warning')}${strings.fixFirst(toFix)}</p>`
  if (notice?.kind !== 'refused') return nothing
  const match = recorded.exec(notice.reason)
  if (match === null) {
    const text = strings.refused(notice.code, visible(notice.reason))
    return html`<p class="note refused" role="alert">${icon('warning')}<span>${text}</span></p>`
  }
  const [, count, of] = match
  const text = count === undefined ? strings.recorded : strings.recordedOf(Number(count), Number(of))
  return html`<p class="note" role="status">${icon('check')}<span>${text}</span></p>`
}

import { visible } from '@beckon/core'
import { html, nothing, type TemplateResult } from 'lit'
import type { Trial } from '../../live/trials.js'
import type { Strings } from '../../strings/en.js'
import { clamp } from '../../text/clamp.js'
import { icon } from '../icons.js'
import { legible } from './report-part.js'

const maxResultChars = 4_000

export interface TrialPart {
  readonly trial: Trial | undefined
  readonly strings: Strings
  /** Whether it waits for someone still: then nobody has to be told that it goes on. */
  readonly isWaiting: boolean
}

/** What the tool made of an answer, for the person who called it to try the inbox. */
export function trialPart({ trial, strings, isWaiting }: TrialPart): TemplateResult | typeof nothing {
  if (trial === undefined) return nothing
  const { isOver, result, failure } = trial
  if (!isOver && isWaiting) return nothing
  if (!isOver) return html`<p class="note" role="status">${icon('clock')}${strings.toolGoesOn}</p>`
  const text = failure ?? result
  if (text === undefined) return nothing
  return html`<section class="result" role="status">
    <h3 class="quiet">${failure === undefined ? strings.toolSaid : strings.toolFailed}</h3>
    <pre dir="auto" tabindex="0" class="text ${failure === undefined ? '' : 'failure'}">${visible(clamp(legible(text), maxResultChars).shown)}</pre>
  </section>`
}

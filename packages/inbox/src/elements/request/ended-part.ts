import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { html, nothing, type TemplateResult } from 'lit'
import type { Notice } from '../../live/local-asks.js'
import { ago, duration, moment } from '../../strings/durations.js'
import type { Language } from '../../strings/strings.js'
import { icon } from '../icons.js'
import { outcomeText, whoEnded } from '../outcome-text.js'

export interface EndedPart {
  readonly ask: AskEntry
  readonly language: Language
  readonly now: number
  readonly principal: string | undefined
  readonly notice: Notice | undefined
}

/** What became of an ask, through whom, and after how long; also for someone who came second. */
export function endedPart({ ask, language, now, principal, notice }: EndedPart): TemplateResult | typeof nothing {
  const { ending, request, turn } = ask
  const { strings, tag } = language
  if (ending === undefined) return nothing
  const { response, at, reason } = ending
  const who = whoEnded(ending, principal, strings)
  const drawing = response === 'accept' ? 'check' : response === 'decline' ? 'cross' : 'dash'
  const first = who === undefined ? strings.alreadyOver : strings.already(who)
  const isVisit = request.url !== undefined && response === 'accept'
  return html`<section class="outcome ${response ?? ''}" role="status">
    ${notice?.kind === 'beaten' ? html`<p>${first}</p>` : nothing}
    <strong>${icon(drawing)}<span>${outcomeText(ending, principal, strings)}</span></strong>
    <span class="quiet" title=${moment(at, tag)}>
      ${ago(at, now, tag)} · ${strings.after(duration(Math.max(0, at - ask.askedAt), tag))}
    </span>
    ${reason === undefined || who === undefined ? nothing : html`<blockquote class="text" dir="auto">${visible(reason)}</blockquote>`}
    ${isVisit ? html`<p class="quiet">${turn === undefined ? strings.waitingToFinish : strings.finished}</p>` : nothing}
  </section>`
}

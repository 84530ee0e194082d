import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { html, nothing, type TemplateResult } from 'lit'
import { toolOf, whoAsks } from '../../list/rows.js'
import { ago, duration, moment } from '../../strings/durations.js'
import type { Language } from '../../strings/strings.js'
import { clamp, sizeOf } from '../../text/clamp.js'
import { words } from '../untrusted.js'

const soonMs = 5 * 60 * 1000
const longMessage = 400

/** Who asks, for which tool, since when and for how long. */
export function headerPart(ask: AskEntry, { strings, tag }: Language, now: number): TemplateResult {
  const tool = toolOf(ask)
  const left = ask.expiresAt - now
  const time = left > 0 ? strings.left(duration(left, tag)) : strings.timeIsUp
  return html`<header>
    <span class="avatar" aria-hidden="true">${visible(ask.server).trim().charAt(0).toUpperCase()}</span>
    <div class="who">
      <h2>${words(whoAsks(ask))}${tool === undefined ? nothing : html`<code>${words(tool)}</code>`}</h2>
      <p class="quiet">
        <time title=${moment(ask.askedAt, tag)}>${strings.asked(ago(ask.askedAt, now, tag))}</time>
        ${ask.ending === undefined ? html`· <span class="time ${left < soonMs ? 'soon' : ''}" title=${moment(ask.expiresAt, tag)}>${time}</span>` : nothing}
      </p>
    </div>
  </header>`
}

export interface MessagePart {
  readonly ask: AskEntry
  readonly language: Language
  /** Whether a long message is shown to its end. */
  readonly isWhole: boolean
  toggle(): void
}

/** What is asked, as text. Of a long one there is the beginning first. */
export function messagePart({ ask, language, isWhole, toggle }: MessagePart): TemplateResult {
  const { strings, tag } = language
  const { message = '' } = ask.request
  const { shown, isCut } = clamp(message)
  const isScrolled = isCut && isWhole
  return html`<div>
    <p
      class="message text ${message.length > longMessage ? 'long' : ''} ${isScrolled ? 'all' : ''}"
      dir="auto"
      tabindex=${isScrolled ? '0' : nothing}
    >${visible(isWhole ? message : shown)}</p>
    ${isCut ? html`<button class="plain small" @click=${toggle}>${isWhole ? strings.showLess : strings.showAll(sizeOf(message, tag))}</button>` : nothing}
  </div>`
}

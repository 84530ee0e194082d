import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { Notice } from '../../live/local-asks.js'
import type { Strings } from '../../strings/en.js'
import { icon } from '../icons.js'
import { typedText } from '../typed-text.js'
import { noticePart } from './notice-part.js'

export interface ActionsPart {
  readonly strings: Strings
  /** A visit is accepted by opening its link, and by nothing here. */
  readonly kind: 'confirm' | 'form' | 'visit'
  /** Whether agreeing can destroy something: then nothing leads there by itself. */
  readonly isDestructive: boolean
  readonly isSending: boolean
  /** Whether it is accepted with a passkey, and whether the person is at that. */
  readonly passkey: 'none' | 'needed' | 'asking'
  readonly isOnline: boolean
  /** Whether the buttons came to stand where they are just now: then a press is for what stood there before. */
  readonly isMoving: boolean
  /** Whether everything is on the page that has to be there before it can be accepted. */
  readonly showsAll: boolean
  /** Whether this person called for it: then others have to accept it. */
  readonly isOwn: boolean
  /** What was decided and can still be taken back, and for how long, in milliseconds. */
  readonly held: { readonly response: 'accept' | 'decline' | 'cancel'; readonly leftMs: number } | undefined
  /** How many have accepted, of how many, where this person is one of them. */
  readonly recorded: { readonly count: number; readonly of: number } | undefined
  /** Makes a rule of it; absent where that cannot be. */
  readonly alwaysAllow: (() => void) | undefined
  /** How many answers need a change before they can be sent. */
  readonly toFix: number
  readonly notice: Notice | undefined
  /** Why someone declines, as far as it is written; undefined until they want to say. */
  readonly reason: string | undefined
  accept(): void
  decline(): void
  dismiss(): void
  /** Absent where nobody is somebody in particular. */
  readonly handOn: (() => void) | undefined
  comment(): void
  undo(): void
  sendNow(): void
  addReason(): void
  writeReason(reason: string): void
}

/** The ways to end an ask, and what became of the last try. */
export function actionsPart(part: ActionsPart): TemplateResult {
  const { strings, kind, isDestructive, isSending, reason } = part
  const unready = part.isMoving ? 'true' : nothing
  if (part.held !== undefined) return heldPart(part, part.held)
  const decline = html`<button class=${reason === undefined ? '' : 'primary'} ?disabled=${isSending} aria-disabled=${unready} @click=${part.decline}>${strings.decline}</button>`
  const leading = isDestructive ? 'risky' : reason === undefined ? 'primary' : ''
  const accept =
    part.isOwn || kind === 'visit' || (kind === 'confirm' && part.recorded !== undefined)
      ? nothing
      : html`<button id="accept" class=${leading} ?disabled=${isSending || !part.showsAll} aria-disabled=${unready} @click=${part.accept}>${part.passkey !== 'none' ? strings.acceptWithPasskey : kind === 'form' ? strings.send : strings.accept}</button>`
  return html`<div class="actions ${kind}">
    ${noticePart(part.toFix, part.notice ?? recordedNotice(part.recorded), strings)}
    ${part.isOwn && part.notice === undefined ? html`<p class="note">${icon('person')}<span>${strings.refused(ownCall)}</span></p>` : nothing}
    ${part.passkey === 'asking' ? html`<p class="note" role="status">${icon('clock')}${strings.waitsForDevice}</p>` : nothing}
    ${isSending && part.passkey !== 'asking' ? html`<p class="note" role="status">${icon('clock')}${part.isOnline ? strings.sending : strings.waitsForConnection}</p>` : nothing}
    ${reason === undefined ? nothing : reasonField(part, reason)}
    ${isDestructive ? html`<p class="warning danger">${icon('warning')}<span>${strings.destructive}</span></p>` : nothing}
    <div class="buttons">
      ${isDestructive ? [decline, accept] : [accept, decline]}
      <div class="more">
        ${reason === undefined ? html`<button class="plain" ?disabled=${isSending} @click=${part.addReason}>${strings.addReason}</button>` : nothing}
        ${part.alwaysAllow === undefined ? nothing : html`<button class="plain" ?disabled=${isSending} @click=${part.alwaysAllow}>${strings.alwaysAllow}</button>`}
        <button class="plain" ?disabled=${isSending} @click=${part.comment}>${strings.comment}</button>
        ${part.handOn === undefined ? nothing : html`<button class="plain" ?disabled=${isSending} @click=${part.handOn}>${strings.handOn}</button>`}
        <button class="plain end" title=${strings.dismissMore} ?disabled=${isSending} aria-disabled=${unready} @click=${part.dismiss}>${strings.dismiss}</button>
      </div>
    </div>
  </div>`
}

const ownCall = { code: 'own-request', reason: '' } as const

function recordedNotice(params: ActionsPart['recorded']): Notice | undefined {
  return params && { kind: 'refused', code: 'recorded', params, reason: '' }
}

/** It is said once, for those who hear it; the seconds are for those who see them. */
function heldPart({ strings, undo, sendNow }: ActionsPart, held: NonNullable<ActionsPart['held']>): TemplateResult {
  const seconds = Math.max(0, Math.ceil(held.leftMs / 1000))
  return html`<div class="actions held">
    <p class="note" role="status">
      ${icon('clock')}<span>${strings.held[held.response]} <span aria-hidden="true">${strings.sentIn(seconds)}</span></span>
    </p>
    <div class="buttons">
      <button id="undo" @click=${undo}>${strings.undo}</button>
      <button class="plain" @click=${sendNow}>${strings.sendNow}</button>
    </div>
  </div>`
}

function reasonField({ strings, writeReason }: ActionsPart, reason: string): TemplateResult {
  return html`<label class="quiet" for="reason">${strings.reason}</label>
    <textarea
      id="reason"
      rows="2"
      dir="auto"
      maxlength="2000"
      placeholder=${strings.reasonMore}
      .value=${live(reason)}
      @input=${(event: Event) => writeReason(typedText(event))}
    ></textarea>`
}

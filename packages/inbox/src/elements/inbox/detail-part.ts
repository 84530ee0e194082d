import { html, nothing, type TemplateResult } from 'lit'
import type { DeskClient } from '../../live/desk-client.js'
import type { Strings } from '../../strings/en.js'
import { icon } from '../icons.js'

export interface DetailPart {
  readonly client: DeskClient
  readonly strings: Strings
  readonly now: number
  readonly undoMs: number | undefined
  readonly chosen: { readonly session: string; readonly request: string } | undefined
  /** Whether a link led here to something that is not there for who opened it. */
  readonly isUnfound: boolean
  /** Whether the list says already that there is nothing. */
  readonly isBlank: boolean
  leave(): void
  /** Absent when nothing else is open. */
  readonly next: (() => void) | undefined
}

/** The ask that is chosen, or what to do about it that none is. */
export function detailPart(part: DetailPart): TemplateResult | typeof nothing {
  const { client, strings, now, chosen, isBlank, leave, next } = part
  if (chosen === undefined) {
    if (isBlank && !part.isUnfound) return nothing
    const words = part.isUnfound ? strings.unfound : strings.choose
    return html`<div class="empty"><span class="big">${icon('inbox', 32)}</span><p>${words}</p></div>`
  }
  return html`<button class="back plain" @click=${leave}>${icon('back')}${strings.back}</button>
    <beckon-request .client=${client} .session=${chosen.session} .request=${chosen.request} .now=${now} .undoMs=${part.undoMs}>
      ${next === undefined ? nothing : html`<button @click=${next}>${strings.next}</button>`}
    </beckon-request>`
}

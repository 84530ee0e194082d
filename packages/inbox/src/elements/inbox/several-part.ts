import type { AskEntry } from '@beckon/core/asks'
import { html, nothing, type TemplateResult } from 'lit'
import { type Several, sortSeveral } from '../../list/several.js'
import type { Strings } from '../../strings/en.js'

export interface SeveralPart {
  readonly strings: Strings
  readonly marked: readonly AskEntry[]
  readonly principal: string | undefined
  answer(asks: readonly AskEntry[], response: 'accept' | 'decline'): void
  markAll(): void
  unmark(): void
}

/** What can be done about those that are marked: what has to be looked at one by one is left out, and that is said. */
export function severalPart({
  strings,
  marked,
  principal,
  answer,
  markAll,
  unmark,
}: SeveralPart): TemplateResult | typeof nothing {
  if (marked.length === 0) return nothing
  const { acceptable, declinable, leftOut } = sortSeveral(marked, principal)
  const why = reasonsOf(leftOut, strings)
  return html`<div class="several" role="group" aria-label=${strings.marked(marked.length)}>
    <p role="status"><strong>${strings.marked(marked.length)}</strong> ${why}</p>
    <div class="buttons">
      ${acceptable.length === 0 ? nothing : html`<button class="small primary" @click=${() => answer(acceptable, 'accept')}>${strings.acceptSeveral(acceptable.length)}</button>`}
      <button class="small" @click=${() => answer(declinable, 'decline')}>${strings.declineSeveral(declinable.length)}</button>
      <button class="small plain" @click=${markAll}>${strings.markAll}</button>
      <button class="small plain" @click=${unmark}>${strings.unmark}</button>
    </div>
  </div>`
}

function reasonsOf(leftOut: Several['leftOut'], strings: Strings): string {
  const kinds = ['destructive', 'passkey', 'toFill'] as const
  return kinds.flatMap(kind => (leftOut[kind] > 0 ? [strings.leftOut[kind](leftOut[kind])] : [])).join(' ')
}

import { visible } from '@beckon/core'
import { html, nothing, type TemplateResult } from 'lit'
import type { DeskClient } from '../../live/desk-client.js'
import type { Held } from '../../live/held-back.js'
import type { Strings } from '../../strings/en.js'
import { icon } from '../icons.js'
import type { Tab } from './top-part.js'

/** Says when there is no connection, or nobody is signed in: what to do, and that nothing is lost. */
export function bannerPart(
  client: DeskClient | undefined,
  strings: Strings,
  isPage: boolean,
): TemplateResult | typeof nothing {
  if (client === undefined || client.status === 'online') return nothing
  const { status, signedOut } = client
  if (status === 'connecting')
    return client.isLoaded ? html`<div class="banner" role="status">${strings.connecting}</div>` : nothing
  const reload = (label: string): TemplateResult =>
    html`<button class="small" @click=${() => location.reload()}>${label}</button>`
  return html`<div class="banner" role="status">
    <span>${signedOut === undefined ? strings.offline : html`<strong>${strings.signedOut}</strong> ${visible(strings.refused(signedOut.refusal))} ${strings.kept}`}</span>
    ${isPage && signedOut?.canSignIn ? reload(strings.signIn) : nothing}
    <button class="small" @click=${() => client.retry()}>${strings.retry}</button>
    ${isPage && signedOut === undefined ? reload(strings.reload) : nothing}
  </div>`
}

/** Says of answers that are held back. */
export function heldPart(held: readonly Held[], client: DeskClient, strings: Strings): TemplateResult | typeof nothing {
  if (held.length === 0) return nothing
  const each = (act: (ask: Held['ask']) => void) => () => {
    for (const { ask } of held) act(ask)
  }
  return html`<div class="banner held" role="status">
    <span>${strings.heldElsewhere(held.length)}</span>
    <button class="small" @click=${each(ask => client.undo(ask))}>${strings.undo}</button>
    <button class="small" @click=${each(ask => client.release(ask))}>${strings.sendNow}</button>
  </div>`
}

export interface EmptyPart {
  readonly tab: Tab
  readonly isSearched: boolean
  readonly strings: Strings
  readonly client: DeskClient
}

/** What stands where no ask is: why, and what to do. */
export function emptyPart({ tab, isSearched, strings, client }: EmptyPart): TemplateResult {
  const [title, text] = isSearched
    ? [strings.nothingFound, strings.nothingFoundMore]
    : tab === 'open'
      ? [strings.nothingOpen, strings.nothingOpenMore]
      : [strings.nothingEnded, strings.nothingEndedMore]
  const canTry = tab === 'open' && !isSearched && client.canTry
  return html`<div class="empty">
    <span class="big">${icon(isSearched ? 'search' : tab === 'open' ? 'check' : 'clock', 32)}</span>
    <strong>${title}</strong>
    <p>${text}</p>
    ${canTry ? tryItPart(client, strings) : nothing}
  </div>`
}

/** The way to an ask for someone who has none. It may take a moment to come. */
function tryItPart(client: DeskClient, strings: Strings): TemplateResult {
  return html`<button class="primary" ?disabled=${client.isTrying} @click=${() => client.tryIt()}>
      ${client.isTrying ? strings.trying : strings.tryIt}
    </button>
    <p class="quiet">${strings.tryItMore}</p>`
}

/** The keys that work everywhere in the inbox. */
export function shortcutsPart(strings: Strings, close: () => void): TemplateResult {
  const { keys } = strings
  const lines: [string[], string][] = [
    [['j', 'k'], keys.next],
    [['Enter'], keys.open],
    [['/'], keys.search],
    [['f'], keys.filter],
    [['x'], keys.mark],
    [['z'], keys.undo],
    [['Ctrl', 'Enter'], keys.send],
    [['Esc'], keys.back],
    [['?'], keys.help],
  ]
  return html`<dialog id="keys" aria-labelledby="shortcuts">
    <h2 id="shortcuts">${strings.shortcuts}</h2>
    <dl>
      ${lines.map(([pressed, meaning]) => html`<dt>${pressed.map(key => html`<kbd>${key}</kbd> `)}</dt><dd>${meaning}</dd>`)}
    </dl>
    <button @click=${close}>${strings.close}</button>
  </dialog>`
}

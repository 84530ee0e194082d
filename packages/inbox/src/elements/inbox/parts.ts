import { html, nothing, type TemplateResult } from 'lit'
import type { DeskClient } from '../../live/desk-client.js'
import type { Strings } from '../../strings/en.js'
import { icon } from '../icons.js'
import type { Tab } from './top-part.js'

/** Says when there is no connection, and that nothing is lost. */
export function bannerPart(
  client: DeskClient | undefined,
  strings: Strings,
  isPage: boolean,
): TemplateResult | typeof nothing {
  if (client === undefined || client.status === 'online') return nothing
  if (client.status === 'connecting')
    return client.isLoaded ? html`<div class="banner" role="status">${strings.connecting}</div>` : nothing
  return html`<div class="banner" role="status">
    <span>${strings.offline}</span>
    <button class="small" @click=${() => client.retry()}>${strings.retry}</button>
    ${isPage ? html`<button class="small" @click=${() => location.reload()}>${strings.reload}</button>` : nothing}
  </div>`
}

/** What stands where no ask is: why, and what to do. */
export function emptyPart(
  tab: Tab,
  isSearched: boolean,
  strings: Strings,
  tryIt: (() => void) | undefined,
): TemplateResult {
  const [title, text] = isSearched
    ? [strings.nothingFound, strings.nothingFoundMore]
    : tab === 'open'
      ? [strings.nothingOpen, strings.nothingOpenMore]
      : [strings.nothingEnded, strings.nothingEndedMore]
  const canTry = tab === 'open' && !isSearched && tryIt !== undefined
  return html`<div class="empty">
    <span class="big">${icon(isSearched ? 'search' : tab === 'open' ? 'check' : 'clock', 32)}</span>
    <strong>${title}</strong>
    <p>${text}</p>
    ${canTry ? html`<button class="primary" @click=${tryIt}>${strings.tryIt}</button><p class="quiet">${strings.tryItMore}</p>` : nothing}
  </div>`
}

/** The keys that work everywhere in the inbox. */
export function shortcutsPart(strings: Strings, close: () => void): TemplateResult {
  const { keys } = strings
  const lines: [string[], string][] = [
    [['j', 'k'], keys.next],
    [['Enter'], keys.open],
    [['/'], keys.search],
    [['Ctrl', 'Enter'], keys.send],
    [['Esc'], keys.back],
    [['?'], keys.help],
  ]
  return html`<dialog aria-labelledby="shortcuts">
    <h2 id="shortcuts">${strings.shortcuts}</h2>
    <dl>
      ${lines.map(([pressed, meaning]) => html`<dt>${pressed.map(key => html`<kbd>${key}</kbd> `)}</dt><dd>${meaning}</dd>`)}
    </dl>
    <button @click=${close}>${strings.close}</button>
  </dialog>`
}

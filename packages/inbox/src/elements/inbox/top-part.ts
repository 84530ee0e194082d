import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { DeviceState } from '../../notify/this-device.js'
import type { Strings } from '../../strings/en.js'
import { icon } from '../icons.js'
import { typedText } from '../typed-text.js'
import { countText } from './attention.js'

/** What the inbox lists: asks that are open, or that ended. */
export type Tab = 'open' | 'history'

export interface HeadPart {
  readonly strings: Strings
  /** Absent where the page is not the inbox's own. */
  readonly notifying: DeviceState | undefined
  showNotifySettings(): void
  showShortcuts(): void
  showYou(): void
}

/** The name of the inbox, and what can be switched. */
export function headPart(part: HeadPart): TemplateResult {
  const { strings, notifying, showNotifySettings, showShortcuts, showYou } = part
  const isOn = notifying === 'push' || notifying === 'page'
  const label = isOn ? strings.notifyOn : strings.notify
  return html`<div class="head">
    <h1>${icon('inbox', 24)}${strings.inbox}</h1>
    ${
      notifying !== undefined
        ? html`<button
            class="icon"
            aria-pressed=${isOn}
            title=${label}
            aria-label=${label}
            @click=${showNotifySettings}
          >${icon(isOn ? 'bell' : 'bellOff')}</button>`
        : nothing
    }
    <button class="icon" title=${strings.shortcuts} aria-label=${strings.shortcuts} @click=${showShortcuts}>
      ${icon('keyboard')}
    </button>
    <button class="icon" id="account" title=${strings.account} aria-label=${strings.account} @click=${showYou}>
      ${icon('person')}
    </button>
  </div>`
}

export interface TabsPart {
  readonly strings: Strings
  readonly tab: Tab
  readonly openCount: number
  turnTo(tab: Tab): void
}

/** The way from what is open to what ended. */
export function tabsPart({ strings, tab: current, openCount, turnTo }: TabsPart): TemplateResult {
  const tab = (name: Tab, label: string, count: number): TemplateResult =>
    html`<button
      role="tab"
      id=${`tab-${name}`}
      aria-controls="list"
      aria-selected=${current === name}
      tabindex=${current === name ? 0 : -1}
      @click=${() => turnTo(name)}
    >${label}${count > 0 ? html`<span class="count">${countText(count)}</span>` : nothing}</button>`
  const onKey = ({ key, currentTarget }: KeyboardEvent): void => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
    const other = current === 'open' ? 'history' : 'open'
    turnTo(other)
    if (currentTarget instanceof HTMLElement) currentTarget.querySelector<HTMLElement>(`#tab-${other}`)?.focus()
  }
  return html`<div class="tabs" role="tablist" @keydown=${onKey}>
    ${tab('open', strings.open, openCount)}${tab('history', strings.history, 0)}
  </div>`
}

export interface FindPart {
  readonly strings: Strings
  readonly tab: Tab
  readonly query: string
  search(query: string): void
  /** Someone goes on to what was found. */
  goOn(): void
  /** Stands beside it. */
  readonly beside: TemplateResult | typeof nothing
}

/** The field that narrows the list down. */
export function findPart({ strings, tab, query, search, goOn, beside }: FindPart): TemplateResult {
  const label = tab === 'open' ? strings.search : strings.searchHistory
  return html`<div class="finding"><div class="find" role="search">
    ${icon('search', 18)}
    <input
      type="search"
      placeholder=${label}
      aria-label=${label}
      autocomplete="off"
      .value=${live(query)}
      @input=${(event: Event) => search(typedText(event))}
      @keydown=${({ key }: KeyboardEvent) => {
        if (key === 'ArrowDown' || key === 'Enter') goOn()
      }}
    />
    ${query === '' ? nothing : html`<button class="icon" aria-label=${strings.clearSearch} @click=${() => search('')}>${icon('close', 18)}</button>`}
  </div>${beside}</div>`
}

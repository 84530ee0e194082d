import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { choicesIn, type Filters, filterCount } from '../../list/filters.js'
import type { Strings } from '../../strings/en.js'
import { icon } from '../icons.js'

export interface FilterButtonPart {
  readonly strings: Strings
  readonly filters: Filters
  readonly isShown: boolean
  toggle(): void
}

/** The way to the filters, and how many there are. */
export function filterButton({ strings, filters, isShown, toggle }: FilterButtonPart): TemplateResult {
  const count = filterCount(filters)
  const label = count === 0 ? strings.filters : `${strings.filters} (${count})`
  return html`<button
    class="icon filter ${count > 0 ? 'on' : ''}"
    id="filter"
    title=${label}
    aria-label=${label}
    aria-expanded=${isShown}
    aria-controls="filters"
    @click=${toggle}
  >${icon('filter')}</button>`
}

export interface FilterPart {
  readonly strings: Strings
  readonly asks: readonly AskEntry[]
  readonly filters: Filters
  filter(filters: Filters): void
}

/** What narrows the list of open asks down, and its order. */
export function filterPart({ strings, asks, filters, filter }: FilterPart): TemplateResult {
  const { servers, tools } = choicesIn(asks, filters)
  const select = (id: 'server' | 'tool', label: string, choices: readonly string[]): TemplateResult =>
    html`<label>
      <span>${label}</span>
      <select
        id=${`filter-${id}`}
        @change=${({ target }: Event) => target instanceof HTMLSelectElement && filter({ ...filters, [id]: target.value || undefined })}
      >
        <option value="" .selected=${live(filters[id] === undefined)}>${strings.any}</option>
        ${choices.map(one => html`<option value=${one} .selected=${live(filters[id] === one)}>${visible(one)}</option>`)}
      </select>
    </label>`
  const toggle = (id: 'isMine' | 'isDestructive' | 'isDue' | 'byDeadline', label: string): TemplateResult =>
    html`<button class="small chip" aria-pressed=${filters[id] === true} @click=${() => filter({ ...filters, [id]: filters[id] !== true })}>
      ${label}
    </button>`
  return html`<div class="filters" id="filters" role="group" aria-label=${strings.filters}>
    ${select('server', strings.server, servers)} ${select('tool', strings.tool, tools)}
    <div class="chips">
      ${toggle('isMine', strings.onlyMine)} ${toggle('isDestructive', strings.onlyDestructive)} ${toggle('isDue', strings.onlyDue)}
      ${toggle('byDeadline', strings.byDeadline)}
      ${filterCount(filters) === 0 ? nothing : html`<button class="small plain" @click=${() => filter({ byDeadline: filters.byDeadline === true })}>${strings.clearFilters}</button>`}
    </div>
  </div>`
}

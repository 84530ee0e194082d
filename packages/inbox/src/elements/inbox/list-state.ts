import type { AskEntry } from '@beckon/core/asks'
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { type Filters, filterCount, noFilters } from '../../list/filters.js'
import type { Row } from '../../list/rows.js'
import { keyOf } from '../../live/mirror.js'
import { type Listing, RowsShown } from './rows-shown.js'
import type { Tab } from './top-part.js'

/** What someone wants listed, and which of it they have marked to answer several at once. */
export class ListState implements ReactiveController {
  readonly #host: ReactiveControllerHost
  readonly #rows = new RowsShown()
  readonly #marked = new Set<string>()
  #tab: Tab = 'open'
  #query = ''
  #filters: Filters = noFilters
  #showsFilters = false

  constructor(host: ReactiveControllerHost) {
    this.#host = host
    host.addController(this)
  }

  hostConnected(): void {}

  get tab(): Tab {
    return this.#tab
  }

  get query(): string {
    return this.#query
  }

  get filters(): Filters {
    return this.#filters
  }

  get showsFilters(): boolean {
    return this.#showsFilters
  }

  /** Whether something keeps asks from being listed. */
  get isNarrowed(): boolean {
    return this.#query !== '' || (this.#tab === 'open' && filterCount(this.#filters) > 0)
  }

  rows(look: Pick<Listing, 'asks' | 'tag' | 'principal' | 'now'>): readonly Row[] {
    return this.#rows.of({ ...look, tab: this.#tab, query: this.#query, filters: this.#filters })
  }

  /** What tells rows apart that read the same. */
  get apart(): ReadonlyMap<AskEntry, string> {
    return this.#rows.apart
  }

  get marked(): ReadonlySet<string> {
    return this.#marked
  }

  /** Those that are marked and open still. */
  markedOf(asks: readonly AskEntry[]): readonly AskEntry[] {
    if (this.#marked.size === 0) return []
    return asks.filter(
      ({ session, request, ending }) => ending === undefined && this.#marked.has(keyOf(session, request.id)),
    )
  }

  turnTo(tab: Tab): void {
    if (tab === this.#tab) return
    this.#tab = tab
    this.#query = ''
    this.unmark()
  }

  search(query: string): void {
    this.#query = query
    this.#host.requestUpdate()
  }

  filter(filters: Filters): void {
    this.#filters = filters
    this.#host.requestUpdate()
  }

  toggleFilters(): void {
    this.#showsFilters = !this.#showsFilters
    this.#host.requestUpdate()
  }

  mark({ session, request }: AskEntry): void {
    const key = keyOf(session, request.id)
    if (!this.#marked.delete(key)) this.#marked.add(key)
    this.#host.requestUpdate()
  }

  /** Marks everything that is listed. */
  markAll(rows: readonly Row[]): void {
    for (const row of rows) if (row.kind === 'ask') this.#marked.add(keyOf(row.ask.session, row.ask.request.id))
    this.#host.requestUpdate()
  }

  unmark(): void {
    this.#marked.clear()
    this.#host.requestUpdate()
  }
}

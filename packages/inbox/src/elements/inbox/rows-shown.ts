import type { AskEntry } from '@beckon/core/asks'
import { distinguish } from '../../list/distinguish.js'
import { type Filters, filterCount, noFilters, passes } from '../../list/filters.js'
import { endedRows, openRows, type Row, rowsByDeadline } from '../../list/rows.js'
import type { Tab } from './top-part.js'

/** What the rows are made of. */
export interface Listing {
  readonly asks: readonly AskEntry[]
  readonly tab: Tab
  readonly query: string
  readonly filters: Filters
  /** The language that times are written in. */
  readonly tag: string
  readonly principal: string | undefined
  /** Milliseconds. */
  readonly now: number
}

const noAsks: readonly AskEntry[] = []
const minuteMs = 60_000

/** The rows of the list. They are put together once for each state, not with every tick. */
export class RowsShown {
  #listing: Listing = {
    asks: noAsks,
    tab: 'open',
    query: '',
    filters: noFilters,
    tag: '',
    principal: undefined,
    now: 0,
  }
  #rows: readonly Row[] = []
  #apart: ReadonlyMap<AskEntry, string> = new Map()

  of(listing: Listing): readonly Row[] {
    if (this.#isChanged(listing)) {
      this.#listing = listing
      this.#rows = rowsOf(listing)
      this.#apart = distinguish(
        this.#rows.flatMap(row => (row.kind === 'ask' ? [row.ask] : [])),
        listing.tag,
      )
    }
    return this.#rows
  }

  /** What tells rows apart that read the same. */
  get apart(): ReadonlyMap<AskEntry, string> {
    return this.#apart
  }

  #isChanged({ asks, tab, query, filters, tag, now }: Listing): boolean {
    const last = this.#listing
    const isSame =
      asks === last.asks && tab === last.tab && query === last.query && filters === last.filters && tag === last.tag
    // Time alone brings what is due.
    return !isSame || (filters.isDue === true && Math.floor(now / minuteMs) !== Math.floor(last.now / minuteMs))
  }
}

function rowsOf({ asks, tab, query, filters, principal, now }: Listing): Row[] {
  if (tab === 'history') return endedRows(asks, query)
  const wanted = filterCount(filters) === 0 ? asks : asks.filter(ask => passes(ask, filters, { principal, now }))
  return filters.byDeadline ? rowsByDeadline(wanted, query) : openRows(wanted, query)
}

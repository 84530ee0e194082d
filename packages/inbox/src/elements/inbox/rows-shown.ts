import type { AskEntry } from '@beckon/core/asks'
import { endedRows, openRows, type Row } from '../../list/rows.js'
import type { Tab } from './top-part.js'

/** The rows of the list. They are put together once for each state, not with every tick. */
export class RowsShown {
  #asks: readonly AskEntry[] | undefined
  #tab: Tab = 'open'
  #query = ''
  #rows: Row[] = []

  of(asks: readonly AskEntry[], tab: Tab, query: string): Row[] {
    if (asks !== this.#asks || tab !== this.#tab || query !== this.#query) {
      this.#asks = asks
      this.#tab = tab
      this.#query = query
      this.#rows = tab === 'open' ? openRows(asks, query) : endedRows(asks, query)
    }
    return this.#rows
  }
}

import type { AskEntry } from '@beckon/core/asks'
import { html, nothing, type TemplateResult } from 'lit'
import type { Row } from '../../list/rows.js'
import { timesToAnswer } from '../../list/times.js'
import type { DeskClient } from '../../live/desk-client.js'
import { keyOf } from '../../live/mirror.js'
import type { Language } from '../../strings/strings.js'
import type { DetailPart } from './detail-part.js'
import type { ListState } from './list-state.js'
import { emptyPart } from './parts.js'
import { timesChart } from './times-chart.js'

export interface ListPart {
  readonly client: DeskClient
  readonly language: Language
  readonly now: number
  readonly state: ListState
  readonly rows: readonly Row[]
  readonly chosen: DetailPart['chosen']
  select(ask: AskEntry): void
  enter(): void
}

const noMarks: ReadonlySet<string> = new Set()

/** What can be chosen from, or why there is nothing. */
export function listPart(part: ListPart): TemplateResult {
  const { client, language, now, state, rows, chosen } = part
  const { tab, isNarrowed: isSearched } = state
  const { strings } = language
  if (rows.length === 0) return html`<div></div>${emptyPart({ tab, isSearched, strings, client })}`
  const isHistory = tab === 'history'
  return html`<div>${isHistory && !isSearched ? timesChart(timesToAnswer(client.asks), language) : nothing}</div>
    <beckon-ask-list
      .rows=${rows}
      .current=${chosen && keyOf(chosen.session, chosen.request)}
      .language=${language}
      .now=${now}
      .label=${isHistory ? strings.listOfEnded : strings.listOfOpen}
      .principal=${client.principal}
      .apart=${state.apart}
      .marked=${state.marked.size === 0 ? noMarks : new Set(state.marked)}
      .canMark=${!isHistory}
      .isHeld=${(ask: AskEntry) => client.heldOf(ask) !== undefined}
      @mark=${({ detail }: CustomEvent<AskEntry>) => state.mark(detail)}
      @select=${({ detail }: CustomEvent<AskEntry>) => part.select(detail)}
      @enter=${part.enter}
    ></beckon-ask-list>
    ${isHistory || client.more === 0 || (isSearched && client.hasWanted) ? nothing : html`<button class="more" @click=${() => void client.readMore()}>${strings.showMore(client.more)}</button>`}`
}

import type { AskEntry } from '@beckon/core/asks'
import { html, nothing, type TemplateResult } from 'lit'
import type { Row } from '../../list/rows.js'
import { timesToAnswer } from '../../list/times.js'
import type { DeskClient } from '../../live/desk-client.js'
import { keyOf } from '../../live/mirror.js'
import type { Language } from '../../strings/strings.js'
import type { DetailPart } from './detail-part.js'
import { emptyPart } from './parts.js'
import { plot } from './plot.js'
import type { Tab } from './top-part.js'

export interface ListPart {
  readonly client: DeskClient
  readonly language: Language
  readonly now: number
  readonly tab: Tab
  readonly rows: readonly Row[]
  readonly isSearched: boolean
  readonly chosen: DetailPart['chosen']
  select(ask: AskEntry): void
  enter(): void
}

/** What can be chosen from, or why there is nothing. */
export function listPart(part: ListPart): TemplateResult {
  const { client, language, now, tab, rows, isSearched, chosen } = part
  const { strings } = language
  if (rows.length === 0) return html`<div></div>${emptyPart({ tab, isSearched, strings, client })}`
  const isHistory = tab === 'history'
  return html`<div>${isHistory && !isSearched ? plot(timesToAnswer(client.asks), language) : nothing}</div>
    <beckon-ask-list
      .rows=${rows}
      .current=${chosen && keyOf(chosen.session, chosen.request)}
      .language=${language}
      .now=${now}
      .label=${isHistory ? strings.listOfEnded : strings.listOfOpen}
      .principal=${client.principal}
      @select=${({ detail }: CustomEvent<AskEntry>) => part.select(detail)}
      @enter=${part.enter}
    ></beckon-ask-list>
    ${isHistory || client.more === 0 ? nothing : html`<button class="more" @click=${() => void client.readMore()}>${strings.showMore(client.more)}</button>`}`
}

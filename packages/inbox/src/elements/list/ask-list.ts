import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { isDestructive, type Row, summaryOf, toolOf, whoAsks } from '../../list/rows.js'
import { offsetsOf, rowsWithin } from '../../list/window.js'
import { keyOf } from '../../live/mirror.js'
import { ago, duration } from '../../strings/durations.js'
import type { Language } from '../../strings/strings.js'
import { icon } from '../icons.js'
import { outcomeText } from '../outcome-text.js'
import { theme } from '../theme.js'
import { words } from '../untrusted.js'
import { listStyles } from './list-styles.js'

const groupRem = 2.5
const askRem = 4
const soonMs = 5 * 60 * 1000

/**
 * A list of asks, of which only the rows in sight are drawn. It has the focus itself, and says which ask is current.
 * Tells with `select` which ask someone wants, with `enter` that they want to go there, and with `mark` that they mark it.
 */
export class AskList extends LitElement {
  static override properties: PropertyDeclarations = {
    rows: { attribute: false },
    current: { attribute: false },
    language: { attribute: false },
    now: { attribute: false },
    label: { attribute: false },
    principal: { attribute: false },
    apart: { attribute: false },
    marked: { attribute: false },
    canMark: { attribute: false },
    isHeld: { attribute: false, hasChanged: () => false },
  }

  static override styles: CSSResultGroup = [theme, listStyles]

  declare rows: readonly Row[]
  declare current: string | undefined
  declare language: Language
  declare now: number
  declare label: string
  declare principal: string | undefined
  /** What tells asks apart that read the same. */
  declare apart: ReadonlyMap<AskEntry, string>
  declare marked: ReadonlySet<string>
  declare canMark: boolean
  /** Whether this person decided, and can still take that back. */
  declare isHeld: (ask: AskEntry) => boolean
  #offsets: Float64Array = offsetsOf([])
  #rem = 16
  readonly #resized = new ResizeObserver(() => this.requestUpdate())

  constructor() {
    super()
    this.rows = []
    this.apart = new Map()
    this.marked = new Set()
    this.canMark = false
    this.isHeld = () => false
    this.addEventListener('scroll', () => this.requestUpdate(), { passive: true })
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#resized.observe(this)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#resized.disconnect()
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('.list')?.focus()
  }

  /** Makes another ask current: so many further, or the first, or the last. */
  move(by: number): void {
    const asks = this.rows.filter(row => row.kind === 'ask')
    const at = asks.findIndex(({ ask }) => keyOf(ask.session, ask.request.id) === this.current)
    const next = asks[Math.min(asks.length - 1, Math.max(0, at < 0 ? 0 : at + by))]
    if (next === undefined) return
    this.#choose(next.ask)
    this.#show(next.ask)
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('rows')) return
    this.#rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
    this.#offsets = offsetsOf(this.rows.map(({ kind }) => (kind === 'group' ? groupRem : askRem) * this.#rem))
  }

  protected override render(): TemplateResult {
    const { first, end } = rowsWithin(this.#offsets, { top: this.scrollTop, height: this.clientHeight })
    const total = this.rows.reduce((most, row) => (row.kind === 'ask' ? row.place : most), 0)
    const slice = this.rows.slice(first, end)
    const isDrawn = slice.some(row => row.kind === 'ask' && this.#isCurrent(row.ask))
    return html`<div
      class="list ${this.marked.size > 0 ? 'marking' : ''}"
      role="listbox"
      tabindex="0"
      aria-label=${this.label}
      aria-activedescendant=${isDrawn ? 'current' : nothing}
      .style=${`block-size:${this.#offsets.at(-1) ?? 0}px`}
      @keydown=${this.#onKey}
    >
      <div class="slice" role="presentation" .style=${`transform:translateY(${this.#offsets[first] ?? 0}px)`}>
        ${repeat(
          slice,
          row => (row.kind === 'group' ? `group ${row.who}` : keyOf(row.ask.session, row.ask.request.id)),
          row => (row.kind === 'group' ? this.#group(row) : this.#row(row, total)),
        )}
      </div>
    </div>`
  }

  #group({ who, count }: Extract<Row, { kind: 'group' }>): TemplateResult {
    return html`<div class="group" role="presentation">${words(who)}<span>${count}</span></div>`
  }

  #row({ ask, place }: Extract<Row, { kind: 'ask' }>, total: number): TemplateResult {
    const isCurrent = this.#isCurrent(ask)
    return html`<div
      class="row"
      role="option"
      id=${isCurrent ? 'current' : nothing}
      aria-selected=${isCurrent}
      aria-setsize=${total}
      aria-posinset=${place}
      aria-checked=${this.canMark ? this.#isMarked(ask) : nothing}
      @click=${(event: MouseEvent) => {
        if (this.canMark && (event.ctrlKey || event.metaKey)) this.#mark(ask)
        else {
          this.#choose(ask)
          this.#enter()
        }
      }}
    >
      <div class="card">
        ${this.canMark ? this.#box(ask) : nothing}
        <div class="message text" dir="auto">${summaryOf(ask)}</div>
        <div class="meta">${this.#outcome(ask)} ${this.#about(ask)} ${this.#time(ask)}</div>
      </div>
    </div>`
  }

  /** For a pointer; a keyboard has Space and x, and a screen reader is told by the row. */
  #box(ask: AskEntry): TemplateResult {
    const isMarked = this.#isMarked(ask)
    return html`<span
      class="box ${isMarked ? 'marked' : ''}"
      title=${this.language.strings.mark}
      @click=${(event: MouseEvent) => {
        event.stopPropagation()
        this.#mark(ask)
      }}
      ><span>${isMarked ? icon('check', 14) : nothing}</span></span
    >`
  }

  /** Its tool, or what tells it from those that read the same; without a group above it, also who asks. */
  #about(ask: AskEntry): TemplateResult {
    const apart = this.apart.get(ask)
    const isGrouped = this.rows[0]?.kind === 'group'
    const tool = toolOf(ask) ?? ask.title
    const name = isGrouped || ask.ending !== undefined ? tool : `${whoAsks(ask)} · ${tool}`
    return apart === undefined ? words(name) : html`<bdi class="apart" title=${visible(apart)}>${visible(apart)}</bdi>`
  }

  #outcome(ask: AskEntry): TemplateResult | typeof nothing {
    const { ending } = ask
    if (ending === undefined && this.isHeld(ask)) return html`<span>${icon('clock', 16)}</span>`
    if (ending === undefined) return isDestructive(ask) ? this.#warning() : nothing
    const { response, by, reason } = ending
    const drawing =
      response === 'accept' ? 'check' : response === 'decline' ? 'cross' : reason === 'expired' ? 'clock' : 'dash'
    return html`<span class=${response ?? ''}>${icon(drawing, 16)}</span>
      <span class="sr">${outcomeText(ending, this.principal, this.language.strings)}</span>
      ${by === undefined ? nothing : html`<bdi aria-hidden="true">${by === this.principal ? this.language.strings.you : visible(by)}</bdi><span aria-hidden="true">·</span>`}`
  }

  #warning(): TemplateResult {
    const { destructive } = this.language.strings
    return html`<span class="danger" title=${destructive}>${icon('warning', 16)}</span><span class="sr">${destructive}</span>`
  }

  #time({ ending, expiresAt }: AskEntry): TemplateResult {
    const { tag, strings } = this.language
    if (ending !== undefined) return html`<span class="time">${ago(ending.at, this.now, tag)}</span>`
    const left = expiresAt - this.now
    const text = left > 0 ? strings.left(duration(left, tag)) : strings.timeIsUp
    return html`<span class="time ${left < soonMs ? 'soon' : ''}">${text}</span>`
  }

  #isCurrent({ session, request }: AskEntry): boolean {
    return keyOf(session, request.id) === this.current
  }

  #isMarked({ session, request }: AskEntry): boolean {
    return this.marked.has(keyOf(session, request.id))
  }

  #mark(ask: AskEntry): void {
    this.dispatchEvent(new CustomEvent('mark', { detail: ask }))
  }

  #markCurrent(): void {
    const row = this.rows.find(row => row.kind === 'ask' && this.#isCurrent(row.ask))
    if (this.canMark && row?.kind === 'ask') this.#mark(row.ask)
  }

  #choose(ask: AskEntry): void {
    this.dispatchEvent(new CustomEvent('select', { detail: ask }))
  }

  #enter(): void {
    this.dispatchEvent(new Event('enter'))
  }

  /** Scrolls as little as shows an ask. */
  #show({ session, request }: AskEntry): void {
    const key = keyOf(session, request.id)
    const index = this.rows.findIndex(row => row.kind === 'ask' && keyOf(row.ask.session, row.ask.request.id) === key)
    const [top = 0, bottom = 0] = this.#offsets.subarray(index, index + 2)
    // The name of the group is seen with its first ask.
    const above = this.rows[index - 1]?.kind === 'group' ? (this.#offsets[index - 1] ?? 0) : top
    if (above < this.scrollTop) this.scrollTop = above
    else if (bottom > this.scrollTop + this.clientHeight) this.scrollTop = bottom - this.clientHeight
  }

  #onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.clientHeight / (askRem * this.#rem)) - 1)
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.rows.length,
      End: this.rows.length,
    }
    const by = steps[event.key]
    if (by !== undefined) this.move(by)
    else if (event.key === 'Enter') this.#enter()
    else if (event.key === ' ') this.#markCurrent()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}

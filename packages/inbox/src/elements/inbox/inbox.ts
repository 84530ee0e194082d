import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { type CSSResultGroup, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { newestIn, openRows, type Row, summaryOf, whoAsks } from '../../list/rows.js'
import type { DeskClient } from '../../live/desk-client.js'
import { type DeviceState, deviceState } from '../../notify/this-device.js'
import { prepareDurations } from '../../strings/durations.js'
import { DeskElement } from '../desk-element.js'
import type { AskList } from '../list/ask-list.js'
import type { RequestElement } from '../request/request.js'
import { controls, theme } from '../theme.js'
import { askInAddress } from './address.js'
import { notifyOf, showCount } from './attention.js'
import { detailPart } from './detail-part.js'
import { inboxStyles } from './inbox-styles.js'
import { actOnKey } from './keys.js'
import { listPart } from './list-part.js'
import { bannerPart, shortcutsPart } from './parts.js'
import { partsStyles } from './parts-styles.js'
import { RowsShown } from './rows-shown.js'
import { Ticking } from './ticking.js'
import { findPart, headPart, type Tab, tabsPart } from './top-part.js'
import { topStyles } from './top-styles.js'

/** A search goes to the desk once nobody types any more. */
const searchPauseMs = 250

/**
 * Every ask of a desk that a person may see, to be answered: a list, the ask that is chosen, and a history.
 * @fires beckon-asked - with `{ session, request }`, when an ask is new
 * @fires beckon-selected - with `{ session, request }`, when another ask is shown
 * @fires beckon-answered - with `{ session, request, response }`, when the desk has taken an answer of this person
 */
export class InboxElement extends DeskElement {
  static override properties: PropertyDeclarations = {
    page: { type: Boolean },
    theme: { type: String, reflect: true },
  }

  static override styles: CSSResultGroup = [theme, controls, inboxStyles, topStyles, partsStyles]

  /** Whether the whole page is this inbox: then its title, its icon and its address follow. */
  declare page: boolean
  /** `light` or `dark`, where it should not be as the device has it. */
  declare theme: string | undefined
  #tab: Tab = 'open'
  #query = ''
  #searching: ReturnType<typeof setTimeout> | undefined
  #selected: { readonly session: string; readonly request: string } | undefined
  /** The session of a link, which was looked for at the desk. */
  #sought: string | undefined
  #isEntered = false
  #notifying: DeviceState = deviceState()
  #announcement = ''
  readonly #clock = new Ticking(this)
  readonly #rows = new RowsShown()

  override connectedCallback(): void {
    super.connectedCallback()
    setTimeout(prepareDurations, 0, this.language.tag)
    addEventListener('keydown', this.#onKey)
    addEventListener('popstate', this.#onAddress)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('keydown', this.#onKey)
    removeEventListener('popstate', this.#onAddress)
  }

  /** The first drawing is a task of its own: the script before it was one already. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await new Promise(resolve => setTimeout(resolve))
    super.scheduleUpdate()
  }

  protected override onAsked(ask: AskEntry): void {
    this.#announcement = this.language.strings.newAsk(visible(whoAsks(ask)), summaryOf(ask))
    this.#emit('beckon-asked', ask)
    this.#follow(ask)
    if (this.page) notifyOf(ask, () => this.#enterAsk(ask))
  }

  protected override onTried(session: string): void {
    const ask = newestIn(this.shown?.asks ?? [], session)
    if (ask !== undefined && ask.ending === undefined) this.#follow(ask)
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed)
    const { shown } = this
    if (shown === undefined || !shown.isLoaded) return
    if (this.page) showCount(this.#openCount(), this.language.strings.inbox)
    if (this.#selected === undefined && this.page) this.#onAddress()
  }

  protected override render(): TemplateResult {
    const { strings } = this.language
    const { shown } = this
    return html`<div class="inbox ${this.#isEntered ? 'entered' : ''} ${shown?.isLoaded && this.#isBlank() ? 'blank' : ''}">
        ${bannerPart(shown, strings, this.page)}
        <nav class="side" aria-label=${strings.inbox}>
          <div class="top">${this.#top()}</div>
          <div class="body" id="list" role="tabpanel" aria-labelledby=${`tab-${this.#tab}`}>${shown?.isLoaded ? this.#list(shown) : nothing}</div>
        </nav>
        <div class="detail" role=${this.page ? 'main' : 'region'} aria-label=${strings.chosenAsk}>${this.#detail()}</div>
      </div>
      <div class="sr" role="status" aria-live="polite">${this.#announcement}</div>
      ${shortcutsPart(strings, () => this.#dialog?.close())}`
  }

  #top(): TemplateResult {
    const { strings } = this.language
    const tab = this.#tab
    return html`${headPart({
      strings,
      notifying: this.page ? this.#notifying : undefined,
      showNotifySettings: () => void this.#showNotifySettings(),
      showShortcuts: () => this.#dialog?.showModal(),
    })}
    ${tabsPart({ strings, tab, openCount: this.shown?.isLoaded ? this.#openCount() : 0, turnTo: tab => this.#turnTo(tab) })}
    ${findPart({
      strings,
      tab,
      query: this.#query,
      search: query => this.#search(query),
      goOn: () => this.#listElement?.focus(),
    })}`
  }

  #list(client: DeskClient): TemplateResult {
    return listPart({
      client,
      language: this.language,
      now: this.#clock.now,
      tab: this.#tab,
      rows: this.#rowsNow(),
      isSearched: this.#query !== '',
      chosen: this.#selected,
      select: ask => this.#select(ask),
      enter: () => this.#enter(),
    })
  }

  #detail(): TemplateResult | typeof nothing {
    const { shown } = this
    const { strings } = this.language
    // Where there is no connection, the banner says so.
    const isComing = shown === undefined || shown.status === 'connecting' || shown.status === 'online'
    if (shown?.isLoaded !== true) return isComing ? html`<div class="empty">${strings.loading}</div>` : nothing
    return detailPart({
      client: shown,
      strings,
      now: this.#clock.now,
      chosen: this.#selected,
      isBlank: this.#rowsNow().length === 0,
      leave: () => this.#leave(),
      next: this.#openCount() > 0 ? () => this.#next() : undefined,
    })
  }

  #rowsNow(): Row[] {
    return this.#rows.of(this.shown?.asks ?? [], this.#tab, this.#query)
  }

  /** Whether there is nothing to choose from, and nothing was chosen. */
  #isBlank(): boolean {
    return this.#selected === undefined && this.#query === '' && this.#rowsNow().length === 0
  }

  #openCount(): number {
    const { asks = [], more = 0 } = this.shown ?? {}
    return asks.reduce((count, { ending }) => (ending === undefined ? count + 1 : count), more)
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog')
  }

  get #listElement(): AskList | null {
    return this.renderRoot.querySelector<AskList>('beckon-ask-list')
  }

  #select(ask: AskEntry): void {
    this.#selected = { session: ask.session, request: ask.request.id }
    this.#emit('beckon-selected', ask)
    this.requestUpdate()
  }

  #enterAsk(ask: AskEntry): void {
    this.#turnTo(ask.ending === undefined ? 'open' : 'history')
    this.#select(ask)
    this.#enter()
  }

  /** Whoever tries the inbox is taken to what is asked of them, unless they look at something else by now. */
  #follow(ask: AskEntry): void {
    if (this.shown?.trialIn(ask.session) === undefined) return
    const looked = this.#selected && this.shown.find(this.#selected.session, this.#selected.request)
    if (looked === undefined || looked.ending !== undefined) this.#enterAsk(ask)
  }

  #enter(): void {
    if (this.#selected === undefined) return
    this.#isEntered = true
    this.requestUpdate()
    void this.updateComplete.then(async () => {
      const element = this.renderRoot.querySelector<RequestElement>('beckon-request')
      await element?.updateComplete
      element?.parentElement?.scrollTo({ top: 0 })
      element?.focus()
    })
  }

  #leave(): void {
    this.#isEntered = false
    this.requestUpdate()
    void this.updateComplete.then(() => this.#listElement?.focus())
  }

  #next(): void {
    this.#turnTo('open')
    const next = openRows(this.shown?.asks ?? [], '').find(row => row.kind === 'ask')
    if (next === undefined) return
    this.#select(next.ask)
    this.#enter()
  }

  #turnTo(tab: Tab): void {
    if (tab === this.#tab) return
    this.#tab = tab
    this.#query = ''
    this.requestUpdate()
  }

  #search(query: string): void {
    this.#query = query
    this.requestUpdate()
    clearTimeout(this.#searching)
    this.#searching = setTimeout(() => void this.shown?.search(query), searchPauseMs)
  }

  /** Few change how they are told often: what it takes is loaded then. */
  async #showNotifySettings(): Promise<void> {
    const { showNotifySettings } = await import('../notify/notify-settings.js')
    await showNotifySettings(this.language.tag)
    this.#notifying = deviceState()
    this.requestUpdate()
  }

  #emit(type: string, { session, request }: AskEntry): void {
    const detail = { session, request: request.id }
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }

  /** A link leads to its ask, or else to what is open in its session. Once it led there, people go where they like. */
  readonly #onAddress = (): void => {
    const wanted = askInAddress()
    if (!this.page || this.shown === undefined || wanted === undefined) return
    const { session, request } = wanted
    const named = this.shown.find(session, request)
    if (named === undefined && this.#sought !== session) {
      // It may not be on the first page.
      this.#sought = session
      void this.shown.findSession(session).then(() => this.#onAddress())
      return
    }
    const ask = named ?? newestIn(this.shown.asks, session)
    const { session: shown, request: asked } = this.#selected ?? {}
    if (ask !== undefined && (shown !== session || asked !== ask.request.id)) this.#enterAsk(ask)
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const isInside = this.page || event.composedPath().includes(this)
    if (!isInside || this.#dialog?.open) return
    actOnKey(event, {
      Escape: () => this.#leave(),
      j: () => this.#listElement?.move(1),
      k: () => this.#listElement?.move(-1),
      o: () => this.#enter(),
      '/': () => this.renderRoot.querySelector<HTMLElement>('.find input')?.focus(),
      '?': () => this.#dialog?.showModal(),
    })
  }
}

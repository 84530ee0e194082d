import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { type CSSResultGroup, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { type Filters, noFilters, wantedOf } from '../../list/filters.js'
import { newestIn, nextIn, openRows, type Row, summaryOf, whoAsks } from '../../list/rows.js'
import type { DeskClient } from '../../live/desk-client.js'
import type { Held } from '../../live/held-back.js'
import { type DeviceState, deviceState } from '../../notify/this-device.js'
import { prepareDurations } from '../../strings/durations.js'
import { DeskElement } from '../desk-element.js'
import type { AskList } from '../list/ask-list.js'
import { defaultUndoMs, type RequestElement } from '../request/request.js'
import { controls, theme } from '../theme.js'
import type { YouElement } from '../you/you.js'
import { askInAddress } from './address.js'
import { notifyOf, showCount } from './attention.js'
import { detailPart } from './detail-part.js'
import { filterButton, filterPart } from './filter-part.js'
import { inboxStyles } from './inbox-styles.js'
import { actOnKey } from './keys.js'
import { listPart } from './list-part.js'
import { ListState } from './list-state.js'
import { bannerPart, heldPart, shortcutsPart } from './parts.js'
import { partsStyles } from './parts-styles.js'
import { severalPart } from './several-part.js'
import { severalStyles } from './several-styles.js'
import { Ticking } from './ticking.js'
import { findPart, headPart, tabsPart } from './top-part.js'
import { topStyles } from './top-styles.js'

/** A search goes to the desk once nobody types any more. */
const searchPauseMs = 250
const noAsks: readonly AskEntry[] = []

/**
 * Every ask of a desk that a person may see, to be answered: a list, the ask that is chosen, and a history.
 * @fires beckon-asked - with `{ session, request }`, when an ask is new
 * @fires beckon-selected - with `{ session, request }`, when another ask is shown
 * @fires beckon-answered - with `{ session, request, response }`, when the desk has taken an answer of this person
 * @fires beckon-signed-out - with `{ canSignIn }`, when the desk does not let this person in any more
 */
export class InboxElement extends DeskElement {
  static override properties: PropertyDeclarations = {
    page: { type: Boolean },
    theme: { type: String, reflect: true },
    undoMs: { type: Number, attribute: 'undo-ms' },
  }

  static override styles: CSSResultGroup = [theme, controls, inboxStyles, topStyles, partsStyles, severalStyles]

  /** Whether the whole page is this inbox: then its title, its icon and its address follow. */
  declare page: boolean
  /** `light` or `dark`, where it should not be as the device has it. */
  declare theme: string | undefined
  /** For how long a decision can be taken back before it is sent, in milliseconds. Default: 5,000; with 0 it is sent at once. */
  declare undoMs: number | undefined
  #searching: ReturnType<typeof setTimeout> | undefined
  #selected: { readonly session: string; readonly request: string } | undefined
  /** The session of a link, which was looked for at the desk. */
  #sought: string | undefined
  /** The session of a link that is not there for who looks. */
  #unfound: string | undefined
  /** The session of the call that was answered last, whose next question comes by itself. */
  #awaited: string | undefined
  #isEntered = false
  #hasYou = false
  #notifying: DeviceState = deviceState()
  #announcement = ''
  readonly #clock = new Ticking(this)
  readonly #state = new ListState(this)

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
    await super.scheduleUpdate()
  }

  protected override onAsked(ask: AskEntry): void {
    this.#announcement = this.language.strings.newAsk(visible(whoAsks(ask)), summaryOf(ask))
    this.#tell('beckon-asked', ask)
    this.#follow(ask)
    if (this.page) notifyOf(ask, () => this.#enterAsk(ask))
  }

  protected override onAnswered(ask: AskEntry): void {
    const { session, request, ending } = ask
    // What is shown tells of itself.
    if (!this.#isShown(ask)) {
      this.emit('beckon-answered', { session, request: request.id, response: ending?.response })
      return
    }
    this.#awaited = session
    const next = nextIn(this.shown?.asks ?? [], session)
    if (next !== undefined) this.#follow(next)
  }

  protected override onTried(session: string): void {
    const ask = newestIn(this.shown?.asks ?? [], session)
    if (ask !== undefined) this.#follow(ask)
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
        <div class="banners">
          ${bannerPart(shown, strings, this.page)} ${shown === undefined ? nothing : heldPart(this.#heldElsewhere(shown), shown, strings)}
        </div>
        <nav class="side" aria-label=${strings.inbox}>
          <div class="top">${this.#top()}</div>
          <div class="body" id="list" role="tabpanel" aria-labelledby=${`tab-${this.#state.tab}`}>${shown?.isLoaded ? this.#list(shown) : nothing}</div>
        </nav>
        <div class="detail" role=${this.page ? 'main' : 'region'} aria-label=${strings.chosenAsk}>${this.#detail()}</div>
      </div>
      <div class="sr" role="status" aria-live="polite">${this.#announcement}</div>
      ${shortcutsPart(strings, () => this.#dialog('keys')?.close())}
      <dialog id="you-dialog" aria-label=${strings.account}>
        ${this.#hasYou && shown ? html`<beckon-you .client=${shown} .language=${this.language} @closed=${() => this.#dialog('you-dialog')?.close()}></beckon-you>` : nothing}
      </dialog>`
  }

  #top(): TemplateResult {
    const { strings } = this.language
    const state = this.#state
    const { tab, query, filters, showsFilters } = state
    const isOpen = tab === 'open'
    const toggle = (): void => state.toggleFilters()
    return html`${headPart({
      strings,
      notifying: this.page ? this.#notifying : undefined,
      showNotifySettings: () => void this.#showNotifySettings(),
      showShortcuts: () => this.#dialog('keys')?.showModal(),
      showYou: () => void this.#showYou(),
    })}
    ${tabsPart({ strings, tab, openCount: this.shown?.isLoaded ? this.#openCount() : 0, turnTo: tab => state.turnTo(tab) })}
    ${findPart({
      strings,
      tab,
      query,
      search: query => this.#search(query),
      goOn: () => this.#listElement?.focus(),
      beside: isOpen ? filterButton({ strings, filters, isShown: showsFilters, toggle }) : nothing,
    })}
    ${isOpen && showsFilters ? filterPart({ strings, asks: this.shown?.asks ?? [], filters, filter: filters => this.#filter(filters) }) : nothing}`
  }

  #list(client: DeskClient): TemplateResult {
    const { strings } = this.language
    const state = this.#state
    const rows = this.#rowsNow()
    return html`${listPart({
      client,
      language: this.language,
      now: this.#clock.now,
      state,
      rows,
      chosen: this.#selected,
      select: ask => this.#select(ask),
      enter: () => this.#enter(),
    })}
    ${severalPart({
      strings,
      marked: state.markedOf(client.asks),
      principal: client.principal,
      answer: (asks, response) => this.#answerSeveral(client, asks, response),
      markAll: () => state.markAll(rows),
      unmark: () => state.unmark(),
    })}`
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
      isUnfound: this.#isUnfound(),
      undoMs: this.undoMs,
      isBlank: this.#rowsNow().length === 0,
      leave: () => this.#leave(),
      next: this.#openCount() > 0 ? () => this.#next() : undefined,
    })
  }

  #rowsNow(): readonly Row[] {
    const { asks = noAsks, principal } = this.shown ?? {}
    return this.#state.rows({ asks, tag: this.language.tag, principal, now: this.#clock.now })
  }

  /** All that is held back, unless the ask that is shown says so of itself. */
  #heldElsewhere(client: DeskClient): readonly Held[] {
    return client.held.every(({ ask }) => this.#isShown(ask)) ? [] : client.held
  }

  #isShown({ session, request }: AskEntry): boolean {
    return this.#selected?.session === session && this.#selected.request === request.id
  }

  /** Whether there is nothing to choose from, and nothing was chosen. */
  #isBlank(): boolean {
    return this.#selected === undefined && !this.#isUnfound() && !this.#state.isNarrowed && this.#rowsNow().length === 0
  }

  /** Whether the address still names what was not found. */
  #isUnfound(): boolean {
    return this.#unfound !== undefined && askInAddress()?.session === this.#unfound
  }

  #openCount(): number {
    const { asks = [], more = 0 } = this.shown ?? {}
    return asks.reduce((count, { ending }) => (ending === undefined ? count + 1 : count), more)
  }

  #dialog(id: 'keys' | 'you-dialog'): HTMLDialogElement | null {
    return this.renderRoot.querySelector<HTMLDialogElement>(`#${id}`)
  }

  get #listElement(): AskList | null {
    return this.renderRoot.querySelector<AskList>('beckon-ask-list')
  }

  #select(ask: AskEntry): void {
    this.#selected = { session: ask.session, request: ask.request.id }
    this.#awaited = undefined
    this.#tell('beckon-selected', ask)
    this.requestUpdate()
  }

  #enterAsk(ask: AskEntry): void {
    this.#state.turnTo(ask.ending === undefined ? 'open' : 'history')
    this.#select(ask)
    this.#enter()
  }

  /**
   * A person who answered a question of a call, or tries the inbox, is taken to what it asks next, unless they look at something else
   * by now.
   */
  #follow(ask: AskEntry): void {
    if (ask.session !== this.#awaited && this.shown?.trialIn(ask.session) === undefined) return
    const looked = this.#selected && this.shown?.find(this.#selected.session, this.#selected.request)
    const isBusy = this.renderRoot.querySelector('.top :focus, .several :focus') !== null
    if (!isBusy && (looked === undefined || looked.ending !== undefined)) this.#enterAsk(ask)
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
    this.#state.turnTo('open')
    const next = openRows(this.shown?.asks ?? [], '').find(row => row.kind === 'ask')
    if (next === undefined) return
    this.#select(next.ask)
    this.#enter()
  }

  #search(query: string): void {
    this.#state.search(query)
    clearTimeout(this.#searching)
    this.#searching = setTimeout(() => this.#look(), searchPauseMs)
  }

  #filter(filters: Filters): void {
    this.#state.filter(filters)
    this.#look()
  }

  /** Not everything may be here: what is wanted is also looked for at the desk. */
  #look(): void {
    void this.shown?.look(wantedOf(this.#state.query, this.#state.filters))
  }

  /** Few change how they are told often: what it takes is loaded then. */
  async #showNotifySettings(): Promise<void> {
    const { showNotifySettings } = await import('../notify/notify-settings.js')
    await showNotifySettings(this.language.tag)
    this.#notifying = deviceState()
    this.requestUpdate()
  }

  #tell(type: string, { session, request }: AskEntry): void {
    this.emit(type, { session, request: request.id })
  }

  #answerSeveral(client: DeskClient, asks: readonly AskEntry[], response: 'accept' | 'decline'): void {
    for (const ask of asks)
      if (!client.isAnswering(ask)) client.complete(ask, { response }, this.undoMs ?? defaultUndoMs)
    this.#state.unmark()
    void this.updateComplete.then(() => this.#listElement?.focus())
  }

  #undo(): void {
    const { held = [] } = this.shown ?? {}
    for (const { ask } of held) this.shown?.undo(ask)
    if (held.length > 0) this.#announcement = this.language.strings.undone
  }

  #openFilters(): void {
    if (this.#state.tab !== 'open') return
    this.#state.toggleFilters()
    const id = this.#state.showsFilters ? 'filter-server' : 'filter'
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`#${id}`)?.focus())
  }

  /** Few look at themselves often: what it takes is loaded then. */
  async #showYou(): Promise<void> {
    const { defineYou } = await import('../you/you.js')
    defineYou()
    this.#hasYou = true
    this.requestUpdate()
    await this.updateComplete
    this.renderRoot.querySelector<YouElement>('beckon-you')?.open()
    this.#dialog('you-dialog')?.showModal()
  }

  protected override forgetAll(): void {
    this.#dialog('you-dialog')?.close()
    this.#hasYou = false
    this.#selected = undefined
    this.#isEntered = false
    this.#announcement = ''
    this.#state.search('')
    this.#state.filter(noFilters)
    this.#notifying = deviceState()
    super.forgetAll()
  }

  /** Marks the ask that is shown, or takes the mark off it. */
  #mark(): void {
    const { session = '', request = '' } = this.#selected ?? {}
    const ask = this.shown?.find(session, request)
    if (ask !== undefined && ask.ending === undefined) this.#state.mark(ask)
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
      void this.shown.findSession(session).then(() => {
        this.#onAddress()
        this.#unfound = this.#selected === undefined ? session : undefined
        this.requestUpdate()
      })
      return
    }
    const ask = named ?? newestIn(this.shown.asks, session)
    const { session: shown, request: asked } = this.#selected ?? {}
    if (ask !== undefined && (shown !== session || asked !== ask.request.id)) this.#enterAsk(ask)
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const isInside = this.page || event.composedPath().includes(this)
    if (!isInside || this.renderRoot.querySelector('dialog[open]') !== null) return
    actOnKey(event, {
      Escape: () => this.#leave(),
      j: () => this.#listElement?.move(1),
      k: () => this.#listElement?.move(-1),
      o: () => this.#enter(),
      '/': () => this.renderRoot.querySelector<HTMLElement>('.find input')?.focus(),
      f: () => this.#openFilters(),
      x: () => this.#mark(),
      z: () => this.#undo(),
      '?': () => this.#dialog('keys')?.showModal(),
    })
  }
}

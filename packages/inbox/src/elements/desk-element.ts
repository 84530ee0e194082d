import type { AskEntry } from '@beckon/core/asks'
import { LitElement, type PropertyDeclarations } from 'lit'
import { DeskClient } from '../live/desk-client.js'
import { type Language, languageFor, languageOf } from '../strings/strings.js'

/** An element that shows a desk: it has a connection, its own or one that it is given, and a language. */
export class DeskElement extends LitElement {
  static override properties: PropertyDeclarations = {
    desk: { type: String },
    getTicket: { attribute: false },
    client: { attribute: false },
    lang: { type: String },
  }

  /** The address of a desk's socket. Default: `/live` where the page comes from. */
  declare desk: string | undefined
  /** Gives a ticket from the desk's `POST /ticket` for each connection, on a page that is embedded elsewhere. */
  declare getTicket: (() => Promise<string>) | undefined
  /** A connection to share with other elements, instead of one of its own. */
  declare client: DeskClient | undefined
  protected language: Language = languageFor([])
  #own: DeskClient | undefined
  #heard: DeskClient | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    this.language = languageOf(this)
    // Once what was set on the element before it was known is there: it may be how to connect.
    this.requestUpdate()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#listenTo(undefined)
    this.#own?.close()
    this.#own = undefined
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('lang')) this.language = languageOf(this)
    if (changed.has('desk') && this.#own !== undefined && this.#own.url !== this.#url) {
      this.#own.close()
      this.#own = undefined
    }
    if (changed.has('getTicket')) this.#own?.retry()
    if (this.isConnected) this.#connect()
  }

  /** The connection that is shown. */
  protected get shown(): DeskClient | undefined {
    return this.client ?? this.#own
  }

  /** The connection changed: by default everything is drawn again. */
  protected onDeskChange(): void {
    this.requestUpdate()
  }

  /** An ask is new. */
  protected onAsked(_ask: AskEntry): void {}

  /** What this person tries asks in a session. */
  protected onTried(_session: string): void {}

  get #url(): string {
    return new URL(this.desk ?? '/live', location.href).href.replace(/^http/, 'ws')
  }

  #connect(): void {
    if (this.client === undefined) this.#own ??= new DeskClient(this.#url, { getTicket: () => this.getTicket?.() })
    this.#listenTo(this.shown)
  }

  #listenTo(client: DeskClient | undefined): void {
    if (client === this.#heard) return
    this.#heard?.removeEventListener('change', this.#changed)
    this.#heard?.removeEventListener('asked', this.#asked)
    this.#heard?.removeEventListener('tried', this.#tried)
    this.#heard = client
    client?.addEventListener('change', this.#changed)
    client?.addEventListener('asked', this.#asked)
    client?.addEventListener('tried', this.#tried)
  }

  readonly #changed = (): void => this.onDeskChange()
  readonly #asked = (event: Event): void => void (event instanceof CustomEvent && this.onAsked(event.detail))
  readonly #tried = (event: Event): void => void (event instanceof CustomEvent && this.onTried(event.detail))
}

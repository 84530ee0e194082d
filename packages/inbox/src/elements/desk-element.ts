import type { AskEntry } from '@beckon/core/asks'
import { LitElement, type PropertyDeclarations } from 'lit'
import { DeskClient } from '../live/desk-client.js'
import { onSignOut } from '../live/sign-outs.js'
import { type Language, languageFor, loadLanguage, wantedBy } from '../strings/strings.js'

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
  #loading: Promise<void> | undefined
  #isSignedOut = false
  #stopHearing: (() => void) | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    this.#findLanguage()
    this.#stopHearing ??= onSignOut(desk => {
      if (this.#own?.api === desk) this.forgetAll()
    })
    // Once what was set on the element before it was known is there: it may be how to connect.
    this.requestUpdate()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#stopHearing?.()
    this.#stopHearing = undefined
    this.#listenTo(undefined)
    this.#own?.close()
    this.#own = undefined
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('lang')) this.#findLanguage()
    if (changed.has('desk') && this.#own !== undefined && this.#own.url !== this.#url) {
      this.#own.close()
      this.#own = undefined
    }
    if (changed.has('getTicket')) this.#own?.retry()
    if (this.isConnected) this.#connect()
  }

  /** Nothing is drawn in one language to be drawn in another a moment later. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await this.#loading
    super.scheduleUpdate()
  }

  /** The connection that is shown. */
  protected get shown(): DeskClient | undefined {
    return this.client ?? this.#own
  }

  /** A person who signs out leaves nothing on any page for who sits there next: it is as a page that was just opened. */
  protected forgetAll(): void {
    this.#own?.forget()
    this.#own = undefined
    this.requestUpdate()
  }

  /** The connection changed: by default everything is drawn again. */
  protected onDeskChange(): void {
    this.requestUpdate()
  }

  /** An ask is new. */
  protected onAsked(_ask: AskEntry): void {}

  /** The desk has taken an answer of this person. */
  protected onAnswered(_ask: AskEntry): void {}

  /** What this person tries asks in a session. */
  protected onTried(_session: string): void {}

  /** Tells the page around it of something. */
  protected emit(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }

  #findLanguage(): void {
    const wanted = wantedBy(this)
    const use = (): void => {
      this.language = languageFor(wanted)
    }
    use()
    this.#loading = loadLanguage(wanted)?.then(() => {
      use()
      this.requestUpdate()
    })
  }

  /** Once for each time, and by the element that has the connection. */
  #tellOfSigningOut(): void {
    const wasSignedOut = this.#isSignedOut
    if (this.shown?.status !== 'connecting') this.#isSignedOut = this.shown?.status === 'signed-out'
    if (!this.#isSignedOut || wasSignedOut || this.client !== undefined) return
    this.emit('beckon-signed-out', { canSignIn: this.shown?.signedOut?.canSignIn === true })
  }

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
    this.#heard?.removeEventListener('answered', this.#answered)
    this.#heard?.removeEventListener('tried', this.#tried)
    this.#heard = client
    client?.addEventListener('change', this.#changed)
    client?.addEventListener('asked', this.#asked)
    client?.addEventListener('answered', this.#answered)
    client?.addEventListener('tried', this.#tried)
  }

  readonly #changed = (): void => {
    this.#tellOfSigningOut()
    this.onDeskChange()
  }
  readonly #asked = (event: Event): void => void (event instanceof CustomEvent && this.onAsked(event.detail))
  readonly #answered = (event: Event): void => void (event instanceof CustomEvent && this.onAnswered(event.detail))
  readonly #tried = (event: Event): void => void (event instanceof CustomEvent && this.onTried(event.detail))
}

import type { AskEntry } from '@beckon/core/asks'
import { type WidgetHostContext, type WidgetOnDesk, widgetIn } from '@beckon/core/widgets'
import {
  type CSSResultGroup,
  css,
  html,
  LitElement,
  type nothing,
  type PropertyDeclarations,
  type TemplateResult,
} from 'lit'
import type { Language } from '../../strings/strings.js'
import { widgetWords } from '../../strings/widget-words.js'
import { controls, theme } from '../theme.js'
import { type Content, contentFrom, formFrom } from './content.js'
import { hostContext } from './host-context.js'
import { type HostListener, WidgetHost } from './widget-host.js'

const minHeight = 48
const maxHeight = 4_000
/** How often a draft is shared. */
const sharedEveryMs = 250
const askAgainMs = 250

/**
 * An ask in the page of its widget.
 * @fires answer - with `{ action, content }`
 * @fires draft - with the content so far
 * @fires failed - when the page is shown no more
 */
export class WidgetElement extends LitElement implements HostListener {
  static override properties: PropertyDeclarations = {
    entry: { attribute: false },
    base: { attribute: false },
    language: { attribute: false },
    isOff: { attribute: false },
    look: { attribute: false },
    mayConnect: { state: true },
  }

  static override styles: CSSResultGroup = [
    theme,
    controls,
    css`
      :host {
        display: block;
      }
      iframe {
        display: block;
        inline-size: 100%;
        border: 1px solid var(--_line);
        border-radius: var(--_radius);
        background: var(--_raised);
        color-scheme: inherit;
      }
      .off {
        opacity: 0.6;
      }
    `,
  ]

  declare entry: AskEntry
  /** The address of the desk. */
  declare base: string
  declare language: Language
  /** Nothing can be answered: an answer is on its way. */
  declare isOff: boolean
  /** Has the desk look for what someone types. */
  declare look: HostListener['find']
  /** The person lets the page reach the origin that it sends to: as with an image, nothing elsewhere hears of them before. */
  declare mayConnect: boolean
  #host: WidgetHost | undefined
  #height = 160
  /** What the page has, as JSON: its own, or what it was told last. */
  #known = ''
  #draft: Content | undefined
  #sharing: ReturnType<typeof setTimeout> | undefined
  #asking: ReturnType<typeof setTimeout> | undefined
  #scheme: MediaQueryList | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    this.#scheme = matchMedia('(prefers-color-scheme: dark)')
    this.#scheme.addEventListener('change', this.#recolour)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#scheme?.removeEventListener('change', this.#recolour)
    clearTimeout(this.#asking)
    this.#host?.stop()
    this.#host = undefined
    this.#share()
  }

  override focus(): void {
    this.renderRoot.querySelector('iframe')?.focus()
  }

  /** Asks again, so that the person can go on in the page. Not at once: a page may answer by itself, again and again. */
  askInAWhile(problem?: string): void {
    clearTimeout(this.#asking)
    this.#asking = setTimeout(() => this.#host?.askAgain(problem), askAgainMs)
  }

  ask(): ReturnType<HostListener['ask']> {
    const { message = '', questions = [] } = this.entry.request
    const { page: _, ...use } = this.#widget
    const content = this.#content
    this.#known = JSON.stringify(content)
    return { message, form: formFrom(questions, content), use }
  }

  context(): WidgetHostContext {
    return hostContext(this, this.language.tag)
  }

  answered(action: 'accept' | 'decline' | 'cancel', content: Content): void {
    clearTimeout(this.#sharing)
    this.#sharing = undefined
    this.#draft = undefined
    this.#known = JSON.stringify(content)
    this.dispatchEvent(new CustomEvent('answer', { detail: { action, content } }))
  }

  drafted(content: Content): void {
    this.#known = JSON.stringify(content)
    this.#draft = content
    this.#sharing ??= setTimeout(() => this.#share(), sharedEveryMs)
  }

  find(search: string): ReturnType<HostListener['find']> {
    return this.#widget.find === undefined ? Promise.resolve(undefined) : this.look(search)
  }

  resized(height: number): void {
    this.#height = Math.min(maxHeight, Math.max(minHeight, Math.ceil(height)))
    const frame = this.renderRoot.querySelector('iframe')
    if (frame !== null) frame.style.blockSize = `${this.#height}px`
  }

  failed(): void {
    this.dispatchEvent(new CustomEvent('failed'))
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    const frame = this.renderRoot.querySelector('iframe')
    if (this.#host === undefined && frame !== null && this.isConnected) {
      this.#host = new WidgetHost(frame, this)
      // From here on: a page that is quick would say its first words to nobody.
      frame.src = new URL(`/widgets/${this.#widget.page}`, this.base).href
    }
    // Somebody took the answer back, or it was not taken.
    if (changed.get('isOff') === true && !this.isOff) this.#host?.askAgain()
    if (changed.has('entry') && changed.get('entry') !== undefined) this.#tellDrafts()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { name, connect } = this.#widget
    if (connect !== undefined && !this.mayConnect && connect !== new URL(this.base).origin) {
      const words = widgetWords(this.language.tag)
      return html`<p class="note">${words.sends(new URL(connect).host)}</p>
        <p><button ?disabled=${this.isOff} @click=${() => this.#allow()}>${words.show}</button></p>`
    }
    return html`<iframe
      class=${this.isOff ? 'off' : ''}
      title=${widgetWords(this.language.tag).frame(name)}
      sandbox="allow-scripts allow-forms"
      referrerpolicy="no-referrer"
      allow=""
      ?inert=${this.isOff}
    ></iframe>`
  }

  /** The person who pressed the button goes on in the page. */
  async #allow(): Promise<void> {
    this.mayConnect = true
    await this.updateComplete
    this.focus()
  }

  get #widget(): WidgetOnDesk {
    return widgetIn(this.entry.request._meta) ?? { name: '', page: '' }
  }

  get #content(): Content {
    const { questions = [], answers } = this.entry.request
    return contentFrom(questions, answers)
  }

  #tellDrafts(): void {
    const content = this.#content
    const text = JSON.stringify(content)
    // What this person is at stays.
    if (text === this.#known || this.#draft !== undefined) return
    this.#known = text
    this.#host?.draft(content)
  }

  #share(): void {
    clearTimeout(this.#sharing)
    this.#sharing = undefined
    const draft = this.#draft
    this.#draft = undefined
    if (draft !== undefined) this.dispatchEvent(new CustomEvent('draft', { detail: draft }))
  }

  readonly #recolour = (): void => this.#host?.contextChanged()
}

export function defineWidgetElement(): void {
  if (customElements.get('beckon-widget') === undefined) customElements.define('beckon-widget', WidgetElement)
}

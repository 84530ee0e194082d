// The host of a widget's page. Threat: the page is a server's own code, and does as it likes within its frame. All that it can do
// here is said in messages, and of those it is heard in what a widget needs: it asks for the ask, it shares drafts, it searches what
// the ask offers, which its server hears of, it answers once. Everything else is refused; a page that sends too much, goes elsewhere or never begins is shown no more.
import {
  draftsCapability,
  type FoundOption,
  findTool,
  fromHost,
  fromPage,
  viewProtocol,
  type WidgetHostContext,
  type WidgetUse,
  widgetMeta,
} from '@beckon/core/widgets'
import type { Content } from './content.js'
import { isLight } from './weigh.js'

/** What is asked. */
interface HostedAsk {
  readonly message: string
  readonly form: object
  readonly use: WidgetUse
}

/** What a page did. */
export interface HostListener {
  /** The ask, when the page wants it. */
  ask(): HostedAsk
  context(): WidgetHostContext
  answered(action: 'accept' | 'decline' | 'cancel', content: Content): void
  drafted(content: Content): void
  /** What is found for words that someone types; undefined where nobody could look. */
  find(search: string): Promise<readonly FoundOption[] | undefined>
  resized(height: number): void
  /** It is shown no more. */
  failed(): void
}

/** As much as any answer has, which the desk bounds as well. */
const maxChars = 256 * 1024
/** In ten seconds; a page that is dragged to another size tells so with every frame. */
const maxMessages = 2_000
const windowMs = 10_000
/** A page that has not begun by then shows nothing. */
const beginMs = 15_000

type Fields = Readonly<Record<string, unknown>>

export class WidgetHost {
  readonly #frame: HTMLIFrameElement
  readonly #listener: HostListener
  readonly #beginning: ReturnType<typeof setTimeout>
  #loads = 0
  #messages = 0
  #since = 0
  #canAsk = false
  #isBegun = false
  #isStopped = false
  #lastId = 0
  /** The ask that waits for an answer of the page. */
  #open: number | undefined

  constructor(frame: HTMLIFrameElement, listener: HostListener) {
    this.#frame = frame
    this.#listener = listener
    this.#beginning = setTimeout(() => this.#fail(), beginMs)
    addEventListener('message', this.#onMessage)
    frame.addEventListener('load', this.#onLoad)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#beginning)
    removeEventListener('message', this.#onMessage)
    this.#frame.removeEventListener('load', this.#onLoad)
  }

  /** Asks again: what was answered was not taken, or was taken back. */
  askAgain(problem?: string): void {
    if (this.#isBegun) this.#ask(problem)
  }

  /** Tells the page what others entered. */
  draft(content: Content): void {
    if (this.#open !== undefined) this.#post({ method: fromHost.draft, params: { content } })
  }

  contextChanged(): void {
    if (this.#isBegun) this.#post({ method: fromHost.contextChanged, params: this.#listener.context() })
  }

  /** The first is the page itself. */
  readonly #onLoad = (): void => {
    this.#loads++
    if (this.#loads > 1) this.#fail()
  }

  readonly #onMessage = ({ source, origin, data }: MessageEvent): void => {
    // Its origin is its own, and no other's.
    if (source !== this.#frame.contentWindow || origin !== 'null' || this.#isStopped) return
    if (this.#isTooMuch() || !isLight(data, maxChars)) {
      this.#fail()
      return
    }
    const { jsonrpc, id, method, params, result } = fieldsOf(data)
    if (jsonrpc !== '2.0') return
    if (typeof method !== 'string') this.#onReply(id, fieldsOf(result))
    else if (id === undefined) this.#onNotification(method, fieldsOf(params))
    else this.#onRequest(id, method, fieldsOf(params))
  }

  #onRequest(id: unknown, method: string, params: Fields): void {
    if (method === 'ping') this.#post({ id, result: {} })
    else if (method === 'tools/call' && params.name === findTool && this.#open !== undefined)
      void this.#find(id, fieldsOf(params.arguments))
    else if (method !== fromPage.initialize)
      this.#post({ id, error: { code: -32601, message: `A widget may not do "${method.slice(0, 100)}" here.` } })
    else {
      this.#canAsk = isFields(fieldsOf(params.appCapabilities).elicitation)
      const result = {
        protocolVersion: viewProtocol,
        hostInfo: { name: 'beckon-inbox', version: '1.0.0' },
        hostCapabilities: { experimental: { [draftsCapability]: {} }, serverTools: {} },
        hostContext: this.#listener.context(),
      }
      this.#post({ id, result })
    }
  }

  async #find(id: unknown, { search }: Fields): Promise<void> {
    const options = await this.#listener.find(typeof search === 'string' ? search : '').catch(() => undefined)
    if (this.#isStopped) return
    if (options === undefined) this.#post({ id, error: { code: -32603, message: 'Nobody could look for that here.' } })
    else this.#post({ id, result: { content: [], structuredContent: { options } } })
  }

  #onNotification(method: string, params: Fields): void {
    if (method === fromPage.initialized) this.#begin()
    else if (method === fromPage.sizeChanged && typeof params.height === 'number') this.#listener.resized(params.height)
    else if (method === fromPage.draft && this.#open !== undefined) this.#listener.drafted(fieldsOf(params.content))
  }

  #begin(): void {
    if (this.#isBegun) return
    if (!this.#canAsk) {
      this.#fail()
      return
    }
    clearTimeout(this.#beginning)
    this.#isBegun = true
    this.#ask()
  }

  #ask(problem?: string): void {
    const { message, form, use } = this.#listener.ask()
    this.#open = ++this.#lastId
    const meta = { ...use, ...(problem !== undefined && { problem }) }
    const params = { mode: 'form', message, requestedSchema: form, _meta: { [widgetMeta]: meta } }
    this.#post({ id: this.#open, method: fromHost.elicit, params })
  }

  /** One answer counts for each ask. */
  #onReply(id: unknown, { action, content }: Fields): void {
    if (id !== this.#open || this.#open === undefined) return
    this.#open = undefined
    if (action === 'accept' || action === 'decline' || action === 'cancel')
      this.#listener.answered(action, fieldsOf(content))
    else this.#fail()
  }

  #isTooMuch(): boolean {
    const now = performance.now()
    if (now - this.#since > windowMs) {
      this.#since = now
      this.#messages = 0
    }
    return ++this.#messages > maxMessages
  }

  #fail(): void {
    if (this.#isStopped) return
    this.stop()
    this.#listener.failed()
  }

  #post(message: object): void {
    // An origin that is nobody's cannot be named. A page that goes elsewhere with the frame is stopped before.
    this.#frame.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*')
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

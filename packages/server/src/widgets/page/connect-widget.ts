// `beckon/widget`: what the page of a widget imports. It speaks to whichever host shows the page: one that renders asks in
// views (SEP-3118), one that has views and cannot ask, and the inbox.
//
// One function, which uses nothing around it: `defineWidget` writes its source into pages that nobody bundles.
import type { FoundOption, WidgetHostContext, WidgetInitializeResult, WidgetUse } from '@beckon/core/widgets'

/** An ask, as a page shows it. */
export interface WidgetAsk<A = unknown, D = unknown> {
  readonly question: string
  /** What the author gave the widget to show; undefined where a host did not pass it on. */
  readonly data: D | undefined
  /** What is proposed, or was entered before. */
  readonly initial: Partial<A> | undefined
  /** Why the last answer was not taken. */
  readonly problem: string | undefined
  /** The form that is sent, a flat JSON Schema. */
  readonly form: { readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
  /** Aborts when the ask is over: answered here or elsewhere, withdrawn, or shown no more. */
  readonly signal: AbortSignal
  /**
   * Finds options for the words of a person, where the ask offers any (`choices`) and the host lets pages search; the ask stays open.
   * Resolves to undefined where it could not.
   */
  readonly find: ((search: string) => Promise<readonly FoundOption[] | undefined>) | undefined
  /** Sends the answer. False when it came too late, or was not taken. */
  answer(value: A): Promise<boolean>
  /** The person says no, and perhaps why. */
  decline(reason?: string): Promise<boolean>
  /** The person turns away. */
  cancel(): Promise<boolean>
  /** Shares what is entered so far, where the host has that. */
  draft(value: Partial<A>): void
  /** Calls the listener with what others enter. */
  onDraft(listener: (value: Partial<A>) => void): void
}

/** What a page knows of where it is shown. */
export interface WidgetConnection {
  /** Resolves once the host has answered. */
  readonly ready: Promise<WidgetHostContext>
  /** Calls the listener whenever theme, language or size change; the page's theme and direction follow by themselves. */
  onContext(listener: (context: WidgetHostContext) => void): void
}

export interface ConnectOptions {
  readonly name?: string
  readonly version?: string
}

/** The type of `connectWidget`. */
export type ConnectWidget = typeof connectWidget

type Fields = Record<string, unknown>

interface Page {
  readonly parent: { postMessage(message: unknown, target: string): void }
  readonly document: {
    readonly documentElement: {
      lang: string
      dir: string
      readonly dataset: Record<string, string | undefined>
      readonly style: { colorScheme: string; setProperty(name: string, value: string): void }
      readonly scrollWidth: number
      getBoundingClientRect(): { readonly width: number; readonly height: number }
    }
  }
  readonly ResizeObserver: new (listener: () => void) => { observe(element: unknown): void }
  addEventListener(type: 'message', listener: (event: { source: unknown; data: unknown }) => void): void
}
declare const window: Page

/**
 * Connects the page to its host, and shows each ask that comes.
 * @example
 * connectWidget(ask => {
 *   document.querySelector('h1').textContent = ask.question
 *   document.querySelector('#yes').onclick = () => ask.answer({ seats: [4, 5] })
 * })
 */
export function connectWidget<A = unknown, D = unknown>(
  show: (ask: WidgetAsk<A, D>) => void,
  { name = 'widget', version = '1.0.0' }: ConnectOptions = {},
): WidgetConnection {
  const { parent, document } = window
  const root = document.documentElement
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  const listeners: ((context: WidgetHostContext) => void)[] = []
  let lastId = 0
  let context: WidgetHostContext = {}
  let capabilities: WidgetInitializeResult['hostCapabilities'] = {}
  let current: { id: unknown; end(): void; take(content: Fields): void } | undefined

  const isFields = (value: unknown): value is Fields =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
  const post = (message: Fields) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const request = (method: string, params: Fields) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      post({ id, method, params })
    })

  function applyContext(changed: WidgetHostContext): void {
    context = { ...context, ...changed }
    const { theme, locale, styles } = context
    if (theme !== undefined) root.style.colorScheme = root.dataset.theme = theme
    if (locale !== undefined) {
      root.lang = locale
      root.dir = /^(ar|dv|fa|he|ku|ps|sd|ug|ur|yi)\b/i.test(locale) ? 'rtl' : 'ltr'
    }
    const { 'beckon/direction': direction } = context
    if (direction === 'rtl' || direction === 'ltr') root.dir = direction
    for (const [key, value] of Object.entries(styles?.variables ?? {}))
      if (typeof value === 'string') root.style.setProperty(key, value)
    for (const listener of listeners) listener(context)
  }

  /** Shows an ask; `send` brings what the person did to where it counts, and says whether it was taken. */
  function open(id: unknown, params: Fields, send: (result: Fields) => Promise<boolean>): void {
    current?.end()
    const meta = fieldsOf(fieldsOf(params._meta)['beckon/widget']) as Partial<WidgetUse> & { problem?: string }
    const form = fieldsOf(params.requestedSchema)
    const properties = fieldsOf(form.properties) as WidgetAsk['form']['properties']
    // A host that keeps `_meta` to itself still shows by the form that the answer is JSON.
    const isJson = meta.name === undefined ? Object.keys(properties).join() === 'json' : meta.json === true
    const over = new AbortController()
    const drafts: ((value: Partial<A>) => void)[] = []

    function read(content: Fields): Partial<A> | undefined {
      if (!isJson) return content as Partial<A>
      try {
        return JSON.parse(String(content.json)) as Partial<A>
      } catch {
        return undefined
      }
    }
    function write(value: unknown): Fields {
      if (isJson) return { json: JSON.stringify(value) }
      return isFields(value) ? value : { value }
    }
    async function end(result: Fields): Promise<boolean> {
      if (over.signal.aborted) return false
      over.abort()
      return send(result)
    }

    async function find(search: string): Promise<readonly FoundOption[] | undefined> {
      try {
        const given = { name: 'beckon_find', arguments: { handle: meta.find, search } }
        const { options } = fieldsOf(fieldsOf(await request('tools/call', given)).structuredContent)
        return Array.isArray(options) ? (options as FoundOption[]) : undefined
      } catch {
        return undefined
      }
    }

    const given = Object.entries(properties).flatMap(([key, field]) =>
      field.default === undefined ? [] : [[key, field.default] as const],
    )
    current = {
      id,
      end: () => over.abort(),
      take(content) {
        const value = read(content)
        if (value !== undefined && !over.signal.aborted) for (const listener of drafts) listener(value)
      },
    }
    show({
      question: String(params.message ?? ''),
      data: meta.data as D | undefined,
      initial: given.length === 0 ? undefined : read(Object.fromEntries(given)),
      problem: meta.problem,
      form: { ...form, properties },
      signal: over.signal,
      find: meta.find === undefined || capabilities.serverTools === undefined ? undefined : find,
      answer: value => end({ action: 'accept', content: write(value) }),
      decline: reason =>
        end({ action: 'decline', ...(reason !== undefined && { content: { 'beckon/reason': reason } }) }),
      cancel: () => end({ action: 'cancel' }),
      draft(value) {
        if (!over.signal.aborted && capabilities.experimental?.['beckon/drafts'] !== undefined)
          post({ method: 'beckon/draft', params: { content: write(value) } })
      },
      onDraft: listener => void drafts.push(listener),
    })
  }

  /** An ask in the result of a tool: it is answered by the tool that the result names, and the model is told what came of it. */
  function openFrom(result: Fields): boolean {
    const { handle, tool, ...params } = fieldsOf(fieldsOf(result._meta)['beckon/ask'])
    if (typeof handle !== 'string') return false
    open(undefined, params, async answer => {
      const ended = fieldsOf(await request('tools/call', { name: tool, arguments: { handle, ...answer } }))
      if (openFrom(ended) || ended.isError === true) return ended.isError !== true
      const { content, structuredContent } = ended
      if (capabilities.updateModelContext !== undefined)
        await request('ui/update-model-context', { content, ...(isFields(structuredContent) && { structuredContent }) })
      const text = 'The person has answered, and the tool has finished. Go on with its result.'
      // Where that is all that a model is told, it has the result, too.
      const result = capabilities.updateModelContext === undefined && Array.isArray(content) ? content : []
      if (capabilities.message !== undefined)
        await request('ui/message', { role: 'user', content: [{ type: 'text', text }, ...result] })
      return true
    })
    return true
  }

  function onRequest(id: unknown, method: string, params: Fields): void {
    if (method === 'elicitation/create')
      open(id, params, async result => {
        post({ id, result })
        return true
      })
    else if (method === 'ui/resource-teardown' || method === 'ping') {
      if (method !== 'ping') current?.end()
      post({ id, result: {} })
    } else post({ id, error: { code: -32601, message: `Method not found: ${method}` } })
  }

  function onNotification(method: string, params: Fields): void {
    if (method === 'ui/notifications/host-context-changed') applyContext(params)
    else if (method === 'ui/notifications/tool-result') openFrom(params)
    else if (method === 'beckon/draft') current?.take(fieldsOf(params.content))
    else if (method === 'notifications/cancelled' && params.requestId === current?.id) current?.end()
  }

  window.addEventListener('message', ({ source, data }) => {
    if (source !== parent || !isFields(data) || data.jsonrpc !== '2.0') return
    const { id, method, result, error } = data
    const params = fieldsOf(data.params)
    if (typeof method === 'string')
      return id === undefined ? onNotification(method, params) : onRequest(id, method, params)
    const waits = waiting.get(id as number)
    waiting.delete(id as number)
    if (error === undefined) waits?.resolve(result)
    else waits?.reject(new Error(String(fieldsOf(error).message)))
  })

  const appCapabilities = { elicitation: {}, availableDisplayModes: ['inline'] }
  const ready = request('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name, version },
    appCapabilities,
  }).then(given => {
    const { hostCapabilities, hostContext } = fieldsOf(given)
    capabilities = fieldsOf(hostCapabilities)
    applyContext(fieldsOf(hostContext))
    post({ method: 'ui/notifications/initialized', params: {} })
    const tell = () => {
      const { height } = root.getBoundingClientRect()
      post({ method: 'ui/notifications/size-changed', params: { width: root.scrollWidth, height: Math.ceil(height) } })
    }
    new window.ResizeObserver(tell).observe(root)
    return context
  })
  return { ready, onContext: listener => void listeners.push(listener) }
}

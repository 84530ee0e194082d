// What a widget's page and its host say to each other: JSON-RPC over `postMessage`, as MCP Apps have it (2026-01-26), with the
// ask as a plain `elicitation/create` of the host (SEP-3118). Drafts are ours: a host that shares them says so.

/** The version of the protocol between a view and its host. */
export const viewProtocol = '2026-01-26'

/** Which way a host reads, in its context, where that is not what its language says. */
export const directionContext = 'beckon/direction'

/** What a host declares under `hostCapabilities.experimental` that shares drafts. */
export const draftsCapability = 'beckon/drafts'

export interface WidgetHostContext {
  readonly theme?: 'light' | 'dark'
  readonly locale?: string
  readonly styles?: { readonly variables?: Readonly<Record<string, string | undefined>> }
  readonly [key: string]: unknown
}

export interface WidgetInitializeResult {
  readonly protocolVersion: string
  readonly hostInfo: { readonly name: string; readonly version: string }
  readonly hostCapabilities: {
    readonly experimental?: Readonly<Record<string, object>>
    readonly serverTools?: object
    readonly updateModelContext?: object
    readonly message?: object
  }
  readonly hostContext: WidgetHostContext
}

/** What the host asks a page. */
export interface WidgetElicitation {
  readonly message: string
  readonly requestedSchema: unknown
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** What a page answers. */
export interface WidgetResult {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Readonly<Record<string, unknown>>
}

/** The methods of a page's requests and notifications. */
export const fromPage = {
  initialize: 'ui/initialize',
  initialized: 'ui/notifications/initialized',
  sizeChanged: 'ui/notifications/size-changed',
  draft: 'beckon/draft',
} as const

/** The methods of a host's. */
export const fromHost = {
  elicit: 'elicitation/create',
  contextChanged: 'ui/notifications/host-context-changed',
  teardown: 'ui/resource-teardown',
  draft: 'beckon/draft',
} as const

import type { Answerer, AskingMethod, TaskRequest } from '../call/incoming.js'
import type { ClientConnection } from '../connections/client-connection.js'
import type { Methods } from '../connections/methods.js'
import type { Link } from '../protocol/link.js'
import type { HeaderList } from './exchange/exchange.js'
import type { ParameterHeader } from './parameter-headers.js'
import type { Sharing } from './sessions/shared/sharing.js'

/** What is served: everything that the HTTP and stdio sides need to know about a server, and nothing of asks. */
export interface Served {
  /** Answers `tools/call`, `prompts/get` and `resources/read`; throws `{ code, message, data? }` for a JSON-RPC error. */
  readonly answer: Answerer
  /** Answers requests about tasks, likewise; absent where there are none. */
  readonly answerTask?: ((request: TaskRequest) => Promise<Record<string, unknown>>) | undefined
  /**
   * Tells how a task stands whenever that changes, until the result is called. Undefined for one that is not the caller's; rejects
   * for a client that does not declare tasks.
   */
  readonly watchTask?:
    | ((
        wanted: Pick<TaskRequest, 'principal' | 'capabilities'> & { readonly taskId: string },
        tell: (task: Record<string, unknown>) => void,
      ) => Promise<(() => void) | undefined>)
    | undefined
  /** Whether who listens for changes is told of those of a resource. Default: everyone is told of all. */
  readonly maySubscribe?:
    | ((
        uri: string,
        from: { readonly link: Link; readonly header: (name: string) => string | undefined },
      ) => Promise<boolean>)
    | undefined
  /** The server as clients see it. */
  readonly info: { readonly name: string; readonly version: string; readonly [key: string]: unknown }
  /** Whether there is such a tool, prompt or resource; asked on every request, so a look-up and no more. */
  isKnown(method: AskingMethod, name: string): boolean
  /** A new connection that lasts. */
  connection(link: Link): ClientConnection
  /** What is answered to one request of 2026-07-28 that the lean path does not take. */
  methods(link: Link): Methods
  /**
   * The person that an HTTP request is for; undefined when nobody is identified. The request has no body.
   * Throwing answers 401; throwing a `Response` answers with that.
   */
  readonly identify?: ((request: Request) => Promise<string | undefined> | string | undefined) | undefined
  /** Lets an HTTP request in, before it is read, or says why not. In place of `identify`. */
  readonly authorize?: ((header: HeaderReader) => Promise<Authorized | HttpRefusal>) | undefined
  /** Milliseconds, from any time on. */
  readonly now?: (() => number) | undefined
  /** A JSON document of the server's own at a path outside of the endpoint, for everybody; undefined where there is none. */
  readonly document?: ((path: string) => Promise<Record<string, unknown> | undefined> | undefined) | undefined
  /** Whether it has an address for others than this machine: then what comes from this machine may come through a proxy. */
  readonly isPublic?: boolean | undefined
  /** The arguments of a tool that have to be repeated in a header, as `parameterHeadersOf` reads them off its input schema. */
  readonly parameterHeaders?: ((tool: string) => readonly ParameterHeader[] | undefined) | undefined
  /** Whether `/beckon/<name>/...` is a page of our own. Default: each is. */
  readonly hasPage?: ((name: string) => boolean) | undefined
  /** Whether what is sent to `/beckon/<name>/...` is read as it comes. Default: it is a form. */
  readonly takesStreams?: ((name: string) => boolean) | undefined
  /** Answers a request for a page of our own, outside the MCP path; undefined where there is none. */
  readonly page?: ((request: Request, address: string | undefined) => Promise<Response | undefined>) | undefined
  /** What it has in common with other nodes of its name; undefined where the store is not shared. */
  readonly sharing?: Sharing | undefined
  /** Told about what no client can be told about. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** A header of a request by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined

/** Someone whose request was let in. */
export interface Authorized {
  readonly principal: string
  /** Why a message of theirs is not taken; undefined when it is. */
  refuse(message: unknown): HttpRefusal | undefined
}

/** Why a request is not let in. */
export interface HttpRefusal {
  readonly status: number
  readonly message: string
  readonly headers: HeaderList
}

/** Whether a connection is one that a change concerns. */
export type Concerns = (link: Link) => boolean

/** Tells every connected client that something changed, or those that it concerns, each in its own era's way. */
export interface Notifier {
  toolsChanged(concerns?: Concerns): void
  promptsChanged(concerns?: Concerns): void
  resourcesChanged(concerns?: Concerns): void
  resourceUpdated(uri: string): void
}

/** How clients of 2025 are told. */
export function legacyNotifier(
  tell: (method: string, concerns: Concerns, params?: Record<string, unknown>) => void,
): Notifier {
  const everyone = () => true
  return {
    toolsChanged: (concerns = everyone) => tell('notifications/tools/list_changed', concerns),
    promptsChanged: (concerns = everyone) => tell('notifications/prompts/list_changed', concerns),
    resourcesChanged: (concerns = everyone) => tell('notifications/resources/list_changed', concerns),
    resourceUpdated: uri =>
      tell('notifications/resources/updated', ({ subscriptions }) => subscriptions.has(uri), { uri }),
  }
}

/** Tells the clients of both. */
export function bothNotifiers(one: Notifier, other: Notifier): Notifier {
  return {
    toolsChanged(concerns) {
      one.toolsChanged(concerns)
      other.toolsChanged(concerns)
    },
    promptsChanged(concerns) {
      one.promptsChanged(concerns)
      other.promptsChanged(concerns)
    },
    resourcesChanged(concerns) {
      one.resourcesChanged(concerns)
      other.resourcesChanged(concerns)
    },
    resourceUpdated(uri) {
      one.resourceUpdated(uri)
      other.resourceUpdated(uri)
    },
  }
}

import type { Middleware } from '../author/middleware.js'
import type { Session } from '../author/session.js'
import type { Browser, Html, Pages } from '../pages/index.js'
import type { Store } from '../store/index.js'

/**
 * What a person does on a page before a call goes on: what a middleware brings for that. `Data` is what its pages need to know, and
 * `Result` what they end it with, both JSON. Its name is in its records, so what is found for it has these types.
 */
export interface Flow<Data = unknown, Result = unknown> {
  /** Names it on its server, in addresses and in the store: small letters, digits and dashes. */
  readonly name: string
  /** Who ends it: its own pages, or the code that calls `server.completeElicitation`. */
  readonly endsBy: 'page' | 'elicitation'
  /** Its routes get the body of a request as it comes, and bound it themselves. */
  readonly takesStreams?: boolean
  /** The page of a flow that leads nowhere else: GET shows it, POST acts. Who is there was checked before. */
  page?(visit: Visit<Data, Result>): Promise<Response> | Response
  /** Takes requests below `/beckon/<name>/`: callbacks and webhooks. Undefined: there is no such page. */
  route?(request: Request, route: Route<Data, Result>): Promise<Response | undefined> | Response | undefined
}

/** A person on the page of a flow. */
export interface Visit<Data = unknown, Result = unknown> {
  readonly request: Request
  /** The address that it came from; undefined where that cannot be seen. */
  readonly address: string | undefined
  readonly flow: OpenFlow<Data, Result>
  /** What was sent, by POST. */
  readonly form: URLSearchParams | undefined
  /** Has to be in every form of the page. */
  readonly csrf: Html
  /** Has to be on the response that shows a form. */
  readonly headers: Record<string, string>
  readonly pages: Pages
  /** Sends the browser to this page again, which then says where the flow stands. */
  again(): Response
}

/** A request to a callback or a webhook of a flow. */
export interface Route<Data = unknown, Result = unknown> {
  /** What follows `/beckon/<name>/` in the path. */
  readonly rest: string
  /** The address of the flow's routes, as `FlowIds` has it. */
  readonly url: string
  readonly pages: Pages
  /** The store of the server. */
  readonly store: Store
  /** By the server's clock. */
  now(): number
  /** Who asks, for a page of their own; else the page that says why not. */
  visitor(): Promise<{ readonly principal: string; readonly browser: Browser } | Response>
  /** The flow with this id, for a person who comes back from where it led. */
  open(flowId: string): Promise<Return<Data, Result>>
  /** The flow with this id, for a person who sends something from its page: `form` has the token of the page's forms. */
  take(flowId: string, form: URLSearchParams): Promise<Return<Data, Result>>
  /** The flow with this id, no matter who asks: for webhooks, which no person sends. */
  find(flowId: string): Promise<OpenFlow<Data, Result> | undefined>
}

/** A person who comes back: to a flow that they may go on with, to one that is over, or to one that is none of theirs. */
type Return<Data, Result> =
  | { kind: 'open'; flow: OpenFlow<Data, Result> }
  | { kind: 'over'; flow: OpenFlow<Data, Result>; response: Response }
  | { kind: 'refused'; response: Response }

export type FlowStatus = 'pending' | 'opened' | 'settling' | 'done' | 'failed'

/** One flow that was begun. */
export interface OpenFlow<Data = unknown, Result = unknown> {
  readonly id: string
  readonly elicitationId: string
  readonly status: FlowStatus
  readonly isExpired: boolean
  /** Milliseconds. */
  readonly expiresAt: number
  readonly message: string
  /** What `begin` gave for the pages. */
  readonly data: Data
  readonly principal: string | undefined
  readonly sessionId: string
  /** The scope of the caller. */
  readonly session: Session
  /** The store of the server. */
  readonly store: Store
  /** Where it is kept what is known of people. */
  readonly people: Store
  /** By the server's clock. */
  now(): number
  /** True for exactly one caller, in all processes: before an effect such as taking a code. */
  once(what: string): Promise<boolean>
  /**
   * Ends the wait, with what `grant` writes there when the call goes on. False when it had ended before or its time is
   * over: then nothing is granted.
   */
  complete(result: Result, grant?: () => Promise<void>): Promise<boolean>
  /** Ends the wait with a reason that the model may read. False when it had ended before. */
  fail(reason: string): Promise<boolean>
  /** Resolves when it has ended, in whichever process; or when so much time has passed. */
  ended(withinMs: number): Promise<void>
}

const flowsKey: unique symbol = Symbol.for('beckon.flows')

/** Marks a middleware as one that brings flows, so that every process that has it can serve their pages. */
export function withFlows<M extends Middleware>(middleware: M, ...flows: Flow[]): M {
  return Object.assign(middleware, { [flowsKey]: flows })
}

/** The flows that a middleware brings. One that stands around others brings theirs: `withFlows(some, ...flowsOf(one))`. */
export function flowsOf(middleware: Middleware): readonly Flow[] {
  return (middleware as { [flowsKey]?: readonly Flow[] })[flowsKey] ?? []
}

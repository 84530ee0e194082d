import type { Revision } from '@beckon/core'
import type { TraceContext } from '../telemetry/telemetry.js'

/** Whether a call may be replayed: where it must, on every round (to find what a crash would), or not at all. */
export type ReplayMode = 'when-needed' | 'always' | 'never'

/** The methods whose handlers may ask. */
export type AskingMethod = 'tools/call' | 'prompts/get' | 'resources/read'

/** Methods that pass what stands before a prompt or a resource, and ask nobody. */
export type SilentMethod = 'completion/complete' | 'resources/subscribe'

/** The methods of the tasks extension. */
export type TaskMethod = 'tasks/get' | 'tasks/update' | 'tasks/cancel'

/** What a client says it can do, for one request. */
export interface ClientCapabilities {
  readonly elicitation?: { readonly form?: object; readonly url?: object }
  readonly sampling?: object
  readonly roots?: object
  readonly extensions?: Readonly<Record<string, object>>
  readonly [capability: string]: unknown
}

/** The levels of a log message, least severe first. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'

/** One request of a client that may lead to an ask, whatever it came in on. */
export interface Incoming {
  readonly method: AskingMethod | SilentMethod
  /** As sent, without `_meta`, `inputResponses` and `requestState`. */
  readonly params: Readonly<Record<string, unknown>>
  readonly revision: Revision
  readonly capabilities: ClientCapabilities
  readonly client: { readonly name: string; readonly version: string } | undefined
  /** Who the call is for, as the server's own authorization says. */
  readonly principal: string | undefined
  /** The client's 2025-era session or its stdio connection. */
  readonly sessionId: string | undefined
  readonly inputResponses: Readonly<Record<string, unknown>> | undefined
  readonly requestState: string | undefined
  readonly progressToken: string | number | undefined
  /** The trace that the request belongs to. */
  readonly trace?: TraceContext | undefined
  /** A header of the HTTP request by its lower-case name. Absent where there is no HTTP request, or it is over. */
  readonly header?: ((name: string) => string | undefined) | undefined
  /** Whether it came over HTTP from a program on this machine, and through no proxy. */
  readonly isLocal?: boolean | undefined
  /** The address that it came from over HTTP; undefined where that cannot be seen. */
  readonly address?: string | undefined
  /** For this request instead of what the server says: a test client's choice. */
  readonly replay?: ReplayMode | undefined
  /** Whether a person is known to be there, however fast they answer: a test client's word. No client can say it of itself. */
  readonly isAttended?: true | undefined
  /** Aborts when the client cancels this request or goes away; never because the reply was sent. */
  readonly signal: AbortSignal
  /** Calls back when `signal` would abort, at once if it has already: cheaper than making a signal. */
  onCancel?(listener: () => void): void
  /** Sends a notification that belongs to this request. Nothing happens once the reply was sent. */
  notify(method: string, params: Record<string, unknown>): void
  /** Sends a log message, where the client wants one of that level. */
  log(level: LogLevel, data: unknown, logger: string | undefined): void
  /**
   * Sends a request to the client, and tells later how that ended. 2025 only. What it returns withdraws the request; then
   * nothing is told that counts.
   */
  readonly send: ((method: string, params: Record<string, unknown>, options: SendOptions) => () => void) | undefined
}

/** Told how a request to a client ended, once: with a result, with the client's error, or with the reason why there is no reply. */
export interface ReplyListener {
  answered(result: unknown): void
  failed(error: unknown): void
}

export interface SendOptions {
  readonly timeoutMs: number
  readonly listener: ReplyListener
}

/** One request about a task. */
export interface TaskRequest {
  readonly method: TaskMethod
  readonly params: Readonly<Record<string, unknown>>
  readonly capabilities: ClientCapabilities
  readonly principal: string | undefined
  readonly inputResponses: Readonly<Record<string, unknown>> | undefined
}

/** Answers one request: with a result as the request's revision has it, or by throwing a `RequestError`. */
export type Answerer = (incoming: Incoming) => Promise<Record<string, unknown>>

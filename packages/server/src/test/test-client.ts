import type { Asked, TestAsk } from './ask.js'
import type { PageValues, VisitedPage } from './browser.js'
import type { Transmitted } from './connection.js'

/** A block of a result. */
export interface ResultBlock {
  type: string
  text?: string
  data?: string
  mimeType?: string
  [key: string]: unknown
}

/** A tool's result. */
export interface ToolCallResult {
  content: ResultBlock[]
  structuredContent?: unknown
  isError?: boolean
  [key: string]: unknown
}

/** A prompt's messages. */
export interface PromptResult {
  description?: string
  messages: { role: string; content: ResultBlock }[]
  [key: string]: unknown
}

/** A resource's contents. */
export interface ResourceResult {
  contents: { uri: string; mimeType?: string; text?: string; blob?: string; [key: string]: unknown }[]
  [key: string]: unknown
}

/** A tool as `tools/list` has it. */
export interface ListedTool {
  name: string
  title?: string
  description?: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  annotations?: Record<string, unknown>
  _meta?: Record<string, unknown>
  [key: string]: unknown
}

export interface TestCallSettings {
  /** Cancels the call, as the wire has it. */
  signal?: AbortSignal
}

export interface ToolCallSettings extends TestCallSettings {
  /** Lets a `requiresConfirmation` tool finish without having asked: where there was nothing to do, say. */
  allowUnconfirmed?: boolean
}

/** A client in memory. Whatever is a JSON-RPC error rejects with a `RequestError`. */
export interface TestClient {
  /** Everything that was asked, in order, with what was answered. */
  readonly asked: readonly Asked[]
  /** Everything that was sent, in both directions. */
  readonly messages: readonly Transmitted[]
  /**
   * Calls a tool and answers what it asks. Rejects when an ask has no answer; and when a tool that says
   * `requiresConfirmation` finished, without an error, having put no confirm to a client that can show one. A confirm
   * that was declined is fine: the tool may well have done nothing, and only its author knows.
   */
  callTool(name: string, args?: Record<string, unknown>, settings?: ToolCallSettings): Promise<ToolCallResult>
  getPrompt(name: string, args?: Record<string, string>, settings?: TestCallSettings): Promise<PromptResult>
  readResource(uri: string, settings?: TestCallSettings): Promise<ResourceResult>
  listTools(): Promise<ListedTool[]>
  /** Sends one request as it is, and gives back the result as it came: `input_required` and tasks too. */
  request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>
  notify(method: string, params?: Record<string, unknown>): Promise<void>
  /**
   * Opens the page of a URL ask, as the person whom the calls are for, and sends its form with what they type. A page that leads
   * elsewhere says where: `leadsTo`. A text is an address to come back to, such as a callback.
   */
  visit(where: TestAsk | string, values?: PageValues): Promise<VisitedPage>
  /** Ends the connection and gives the server its own clock back. The server goes on. */
  close(): Promise<void>
}

// What a desk answers over HTTP, for what is seldom wanted and needs no socket: rules, passkeys, who someone is.
import type { RefusalData } from '@beckon/core/live'
import type { SaidRefusal } from '../strings/said-refusal.js'

export type Reply = Readonly<Record<string, unknown>>

/** The desk said no, in words; or cannot be reached, without any. */
export class ApiError extends Error {
  readonly refusal: SaidRefusal | undefined

  constructor(refusal?: SaidRefusal) {
    super(refusal?.reason)
    this.refusal = refusal
  }
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: object
}

/**
 * Asks the desk at `api`, an origin, as the person who is signed in on this page.
 * @throws ApiError
 */
export async function askDesk(api: string, path: string, request: ApiRequest = {}): Promise<Reply> {
  const { body, method = body === undefined ? 'GET' : 'POST' } = request
  const headers = { 'content-type': 'application/json' }
  const sent = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
  const response = await fetch(new URL(path, api), sent).catch(() => undefined)
  if (response === undefined) throw new ApiError()
  const reply: Reply & Partial<RefusalData> = await response.json().catch(() => ({}))
  if (response.ok) return reply
  const { code, params, detail } = reply
  throw new ApiError({ code, params, reason: typeof detail === 'string' ? detail : '' })
}

import type { Clock } from 'beckon'
import { eventIdHeader, signatureHeader, signatureOf } from './signature.js'

export type Fetch = (url: string, init: RequestInit) => Promise<Pick<Response, 'status' | 'body'>>

export interface SendOptions {
  readonly fetch: Fetch
  readonly clock: Clock
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface Letter {
  readonly url: string
  readonly secret: string
  readonly id: string
  readonly body: string
}

/** Sends once. Resolves to why it was not taken; undefined when it was. What the receiver says is not read. */
export async function send(
  letter: Letter,
  { fetch, clock, timeoutMs, signal }: SendOptions,
): Promise<string | undefined> {
  const controller = new AbortController()
  if (signal.aborted) return 'stopped'
  let undo = () => {}
  // Not every `fetch` heeds its signal.
  const ended = new Promise<string>(resolve => {
    const end = (reason: string) => {
      controller.abort()
      resolve(reason)
    }
    const stop = () => end('stopped')
    const stopTimer = clock.after(timeoutMs, () => end('no answer in time'))
    signal.addEventListener('abort', stop, { once: true })
    undo = () => {
      stopTimer()
      signal.removeEventListener('abort', stop)
    }
  })
  try {
    return await Promise.race([ended, post(letter, fetch, clock, controller.signal)])
  } finally {
    undo()
  }
}

async function post(
  { url, secret, id, body }: Letter,
  fetch: Fetch,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | undefined> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'beckon',
    [eventIdHeader]: id,
    [signatureHeader]: signatureOf(secret, body, clock.now()),
  }
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    response.body?.cancel().catch(() => {})
    return response.status >= 200 && response.status < 300 ? undefined : `status ${response.status}`
  } catch {
    return 'it cannot be reached'
  }
}

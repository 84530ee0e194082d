// A receiver learns that a webhook comes from this desk, was not changed, and was sent just now. Not defended: someone
// who has the secret; the same webhook sent twice within the tolerance, which the receiver tells by its event id.
import { createHmac, timingSafeEqual } from 'node:crypto'

export const signatureHeader = 'beckon-signature'
export const eventIdHeader = 'beckon-event-id'

/** The headers of a request, as `fetch` or Node have them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** How old, or how far ahead, a webhook may be. Default: five minutes. */
  readonly toleranceMs?: number
  /** Milliseconds. Default: now. */
  readonly now?: number
}

export function signatureOf(secret: string, body: string, atMs: number): string {
  const time = Math.floor(atMs / 1000)
  return `t=${time},v1=${digest(secret, time, body).toString('hex')}`
}

/**
 * Whether a webhook is from the desk that has this secret, and fresh. `body` is what was received, before any parsing.
 * @example
 * if (!verifyWebhook(secret, request.headers, body)) return response.writeHead(400).end()
 */
export function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  { toleranceMs = 5 * 60 * 1000, now = Date.now() }: VerifyOptions = {},
): boolean {
  const fields = (headerOf(headers) ?? '').split(',').map(field => field.trim())
  const time = fields.map(field => /^t=(\d{1,12})$/.exec(field)?.[1]).find(found => found !== undefined)
  if (secret === '' || time === undefined || !(Math.abs(now - Number(time) * 1000) <= toleranceMs)) return false
  const expected = digest(secret, Number(time), body)
  return fields.some(field => {
    const hex = /^v1=([0-9a-f]{64})$/.exec(field)?.[1]
    return hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected)
  })
}

function digest(secret: string, time: number, body: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest()
}

function headerOf(headers: WebhookHeaders): string | undefined {
  if (typeof headers.get === 'function') return headers.get(signatureHeader) ?? undefined
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === signatureHeader)?.[1]
  return typeof found === 'string' ? found : undefined
}

// One push message to one device: encrypted for it (RFC 8291), signed by the desk (RFC 8292). Anyone who runs the push service sees
// neither what is asked nor who asks.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import webPush from 'web-push'
import { outerLookup } from './inner-address.js'
import type { PushMessage } from './payload.js'
import type { Subscription } from './subscriptions.js'

export interface PushSending {
  readonly keys: { readonly publicKey: string; readonly privateKey: string }
  /** Whom a push service turns to: `mailto:` or `https:`. */
  readonly contact: string
  readonly ttlSeconds: number
  /** An earlier message on the same topic that was not delivered yet is not any more. At most 32 characters. */
  readonly topic?: string
  readonly allowInner: boolean
  readonly timeoutMs: number
}

/** `gone` when the device has no such subscription any more. Rejects, without the address, for what is worth another try. */
export async function sendPush(
  { endpoint, keys }: Subscription,
  message: PushMessage,
  sending: PushSending,
): Promise<'sent' | 'gone'> {
  const { contact: subject, ttlSeconds, topic, keys: vapid } = sending
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(message), {
    vapidDetails: { subject, ...vapid },
    TTL: ttlSeconds,
    urgency: 'high',
    contentEncoding: 'aes128gcm',
    ...(topic !== undefined && { topic }),
  })
  const status = await post(new URL(endpoint), headers, body, sending)
  if (status === 404 || status === 410) return 'gone'
  if (status >= 200 && status < 300) return 'sent'
  throw new Error(`the push service answered ${status}`)
}

function post(
  url: URL,
  headers: Readonly<Record<string, string | number>>,
  body: Buffer | null,
  { allowInner, timeoutMs }: PushSending,
): Promise<number> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, timeout: timeoutMs, ...(!allowInner && { lookup: outerLookup }) }
    const outgoing = request(url, options, incoming => {
      // What it says is not read, and where it sends us is not gone to.
      incoming.resume()
      resolve(incoming.statusCode ?? 0)
      incoming.destroy()
    })
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')))
    outgoing.once('error', () => reject(new Error('the push service cannot be reached')))
    outgoing.end(body ?? undefined)
  })
}

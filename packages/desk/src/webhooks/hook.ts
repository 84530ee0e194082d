import { createHash } from 'node:crypto'
import type { Audience } from '../model/policy.js'
import { unknownName } from '../options/unknown-name.js'

export type WebhookEvent = 'asked' | 'answered' | 'withdrawn' | 'expired' | 'reported'

const webhookEvents: readonly WebhookEvent[] = ['asked', 'answered', 'withdrawn', 'expired', 'reported']

/** Where to send what happens. */
export interface Webhook {
  /** `https:`, or `http:`. */
  readonly url: string
  /** What the receiver checks the signature with. */
  readonly secret: string
  /** Default: all. */
  readonly events?: readonly WebhookEvent[] | undefined
  /** Only asks that some of these people may answer. Default: every ask. */
  readonly audience?: Audience | undefined
  /** What the store knows it by. Default: made from the URL. */
  readonly id?: string | undefined
}

/** Every option, and no other: a record, so that the compiler misses none. */
const options: Record<keyof Webhook, true> = { url: true, secret: true, events: true, audience: true, id: true }

export interface Hook {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly events: ReadonlySet<string>
  readonly audience: Audience | undefined
}

/** Checks what was configured. Secrets and URLs stay out of the messages. */
export function hooksFrom(webhooks: readonly Webhook[]): Hook[] {
  const hooks = webhooks.map((webhook, index): Hook => {
    const { url, secret, events = webhookEvents, audience, id } = webhook
    const where = `Webhook ${index + 1}`
    const unknown = unknownName(webhook, Object.keys(options))
    if (unknown !== undefined) throw new TypeError(`In ${where.toLowerCase()}, ${unknown}`)
    const parsed = URL.canParse(url) ? new URL(url) : undefined
    if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol)) {
      throw new TypeError(`${where} needs a URL with http: or https:.`)
    }
    if (parsed.username !== '' || parsed.password !== '') throw new TypeError(`${where} has a password in its URL.`)
    if (typeof secret !== 'string' || secret === '') throw new TypeError(`${where} needs a secret to sign with.`)
    const event = events.find(event => !webhookEvents.includes(event))
    if (event !== undefined) throw new TypeError(`${where} cannot be told of "${event}".`)
    return { id: id ?? idOf(parsed.href), url: parsed.href, secret, events: new Set(events), audience }
  })
  if (new Set(hooks.map(({ id }) => id)).size < hooks.length) {
    throw new TypeError('Two webhooks have the same URL: give each an id of its own.')
  }
  return hooks
}

function idOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 16)
}

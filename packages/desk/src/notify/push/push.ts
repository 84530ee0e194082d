// Push notifications to browsers, with the page closed.

import { createHash, randomUUID } from 'node:crypto'
import { dropOldest } from '@beckon/core'
import type { ChannelDesk, ChannelRoute, NotifyChannel, Recipient } from '../channel.js'
import { askMessage, endedMessage, type PushMessage } from './payload.js'
import { sendPush } from './send-push.js'
import { idOf, readSubscription, type Subscription, Subscriptions } from './subscriptions.js'
import { StoredVapidKeys } from './vapid-keys.js'

export interface PushOptions {
  /** Whom a push service turns to when something is wrong: `mailto:` or `https:`. Default: where the desk is. */
  readonly contact?: string | undefined
  /**
   * Whether a subscription may be of this machine or an inner network, and without encryption: for tests. Anyone who can sign in
   * can then make the desk send requests there.
   */
  readonly allowInner?: boolean | undefined
}

const timeoutMs = 20_000
const dayMs = 24 * 60 * 60 * 1000
const maxUserAgentChars = 300
const maxRemembered = 10_000

/**
 * Push notifications to browsers.
 * @example
 * createDesk({ notify: notify({ channels: [push()] }), publicUrl: 'https://desk.example' })
 */
export function push(options: PushOptions = {}): (desk: ChannelDesk) => NotifyChannel {
  return function push(desk) {
    return new PushChannel(desk, options)
  }
}

class PushChannel implements NotifyChannel {
  readonly name = 'push'
  readonly #desk: ChannelDesk
  readonly #options: PushOptions
  readonly #subscriptions: Subscriptions
  readonly #keys: StoredVapidKeys
  /** Which devices have a message that is not everywhere yet: they do not get it again. */
  readonly #reached = new Map<string, Set<string>>()

  constructor(desk: ChannelDesk, options: PushOptions) {
    this.#desk = desk
    this.#options = options
    this.#subscriptions = new Subscriptions(desk)
    this.#keys = new StoredVapidKeys(desk.store, desk.prefix)
  }

  readonly routes: readonly ChannelRoute[] = [
    { method: 'POST', path: 'subscriptions', handle: (person, request) => this.#add(person, request) },
    {
      method: 'DELETE',
      path: 'subscriptions/{id}',
      handle: async ({ principal }, { param }) =>
        (await this.#subscriptions.remove(principal, param('id'))) ? { done: {} } : 'not-found',
    },
  ]

  send(person: Recipient, notice: Parameters<NotifyChannel['send']>[1]): Promise<undefined | 'unreachable'> {
    const leftMs = notice.expiresAt - this.#desk.clock.now()
    const topic = topicOf(notice.id)
    return this.#sendTo(person, askMessage(notice), { leftMs, topic, id: `${notice.id}.${notice.reminder}` })
  }

  async withdraw(person: Recipient, notice: Parameters<NonNullable<NotifyChannel['withdraw']>>[1]): Promise<void> {
    const topic = topicOf(notice.id)
    await this.#sendTo(person, endedMessage(notice), { leftMs: dayMs, topic, id: `${notice.id}.ended` })
  }

  test(person: Recipient): Promise<undefined | 'unreachable'> {
    return this.#sendTo(person, { kind: 'test' }, { leftMs: 60_000, id: randomUUID() })
  }

  async state({ principal }: Recipient): Promise<object> {
    const { publicKey } = await this.#keys.get()
    const subscriptions = (await this.#subscriptions.list(principal)).map(({ endpoint, addedAt, userAgent }) => ({
      id: idOf(endpoint),
      addedAt,
      userAgent,
    }))
    return { publicKey, subscriptions }
  }

  async forget(principal: string): Promise<void> {
    for (const { endpoint } of await this.#subscriptions.list(principal))
      await this.#subscriptions.remove(principal, idOf(endpoint))
  }

  async #add({ principal }: Recipient, { body, userAgent }: Parameters<ChannelRoute['handle']>[1]) {
    const read = readSubscription(body, this.#options.allowInner === true)
    if ('refused' in read) return read
    const addedAt = this.#desk.clock.now()
    const subscription = { ...read, addedAt, userAgent: userAgent.slice(0, maxUserAgentChars) }
    const id = await this.#subscriptions.add(principal, subscription)
    return id === undefined ? { refused: 'This subscription is of somebody else.' } : { done: { id } }
  }

  /** To all devices of someone. Rejects when it failed for some: it is tried again for those. */
  async #sendTo(
    { principal }: Recipient,
    message: PushMessage,
    { leftMs, topic, id }: { leftMs: number; topic?: string; id: string },
  ): Promise<undefined | 'unreachable'> {
    const sending = {
      keys: await this.#keys.get(),
      contact: this.#contact(),
      ttlSeconds: Math.max(0, Math.floor(Math.min(leftMs, 28 * dayMs) / 1000)),
      ...(topic !== undefined && { topic }),
      allowInner: this.#options.allowInner === true,
      timeoutMs,
    }
    const key = `${principal} ${id}`
    const reached = this.#reached.get(key) ?? new Set<string>()
    const devices = (await this.#subscriptions.list(principal)).filter(({ endpoint }) => !reached.has(endpoint))
    const sent = await Promise.allSettled(
      devices.map(async device => {
        if ((await this.#sendOne(principal, device, message, sending)) === 'sent') reached.add(device.endpoint)
      }),
    )
    this.#reached.delete(key)
    const failed = sent.find(result => result.status === 'rejected')
    if (failed === undefined) return reached.size > 0 ? undefined : 'unreachable'
    this.#remember(key, reached)
    throw failed.reason
  }

  #remember(key: string, reached: Set<string>): void {
    this.#reached.set(key, reached)
    dropOldest(this.#reached, maxRemembered)
  }

  async #sendOne(
    principal: string,
    device: Subscription,
    message: PushMessage,
    sending: Parameters<typeof sendPush>[2],
  ): Promise<'sent' | 'gone'> {
    const result = await sendPush(device, message, sending)
    if (result === 'gone') await this.#subscriptions.remove(principal, idOf(device.endpoint))
    return result
  }

  #contact(): string {
    const { contact } = this.#options
    if (contact !== undefined) return contact
    const address = this.#desk.address()
    return address.startsWith('https:') ? new URL(address).origin : 'mailto:nobody@localhost'
  }
}

function topicOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 32)
}

// Where each person's devices take push messages. A subscription belongs to the person who registered it last with its secret: a browser
// that two people use in turn tells what the one asks who is signed in there.

import { createHash, timingSafeEqual } from 'node:crypto'
import { isRecord } from '@beckon/core/json-rpc'
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import { Cell } from 'beckon/store/handles'
import { tokenOfPrincipal } from '../../index/tokens.js'
import { isInnerHost } from './inner-address.js'

export interface Subscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
  readonly addedAt: number
  /** What the browser said that it is. */
  readonly userAgent: string
}

export interface SubscriptionsOptions {
  readonly store: Store
  readonly prefix: string
  readonly clock: Pick<Clock, 'now'>
}

/** Devices of one person; with one more, the oldest goes. */
const maxDevices = 10
const maxEndpointChars = 1_000

/** A subscription as a browser gives it, or what is wrong with it, in a sentence. */
export function readSubscription(
  body: unknown,
  allowInner: boolean,
): Pick<Subscription, 'endpoint' | 'keys'> | { readonly refused: string } {
  const { endpoint, keys } = isRecord(body) ? body : {}
  const { p256dh, auth } = isRecord(keys) ? keys : {}
  if (typeof endpoint !== 'string' || endpoint.length > maxEndpointChars || !URL.canParse(endpoint))
    return { refused: '"endpoint" is the address of a push service.' }
  const url = new URL(endpoint)
  if (url.username !== '' || url.password !== '') return { refused: '"endpoint" has no password in it.' }
  if (url.protocol !== 'https:' && !(allowInner && url.protocol === 'http:'))
    return { refused: '"endpoint" begins with https:.' }
  if (!allowInner && (isInnerHost(url) || url.port !== ''))
    return { refused: '"endpoint" is of a push service on the internet, and not of an inner network.' }
  if (!isKey(p256dh, 65) || !isKey(auth, 16)) return { refused: '"keys" has "p256dh" and "auth", as base64url.' }
  return { endpoint: url.href, keys: { p256dh, auth } }
}

export class Subscriptions {
  readonly #options: SubscriptionsOptions

  constructor(options: SubscriptionsOptions) {
    this.#options = options
  }

  list(principal: string): Promise<readonly Subscription[]> {
    return this.#of(principal)
      .get()
      .then(known => known ?? [])
  }

  /** The id of a subscription that is someone's from now on; undefined when it is another's, and they do not know its secret. */
  async add(principal: string, subscription: Subscription): Promise<string | undefined> {
    const id = idOf(subscription.endpoint)
    const { auth } = subscription.keys
    const before = await this.#owner(id).update<Owner | 'refused' | undefined>(known => {
      if (known !== undefined && known.principal !== principal && !isSame(known.auth, auth))
        return { result: 'refused' }
      return { value: { principal, auth }, result: known }
    })
    if (before === 'refused') return undefined
    if (before !== undefined && before.principal !== principal) await this.#remove(before.principal, id)
    const dropped = await this.#of(principal).update<Subscription[]>((known = []) => {
      const all = [...known.filter(({ endpoint }) => endpoint !== subscription.endpoint), subscription]
      return { value: all.slice(-maxDevices), result: all.slice(0, -maxDevices) }
    })
    for (const { endpoint } of dropped) await this.#owner(idOf(endpoint)).delete()
    return id
  }

  /** Removes a subscription of someone; false when they have no such. */
  async remove(principal: string, id: string): Promise<boolean> {
    const isRemoved = await this.#remove(principal, id)
    if (isRemoved)
      await this.#owner(id).update(known => ({
        ...(known?.principal === principal && { isRemoved: true as const }),
        result: undefined,
      }))
    return isRemoved
  }

  #remove(principal: string, id: string): Promise<boolean> {
    return this.#of(principal).update<boolean>((known = []) => {
      const kept = known.filter(({ endpoint }) => idOf(endpoint) !== id)
      if (kept.length === known.length) return { result: false }
      return kept.length === 0 ? { isRemoved: true, result: true } : { value: kept, result: true }
    })
  }

  #of(principal: string): Cell<readonly Subscription[]> {
    const { store, prefix } = this.#options
    return new Cell(store, `${prefix}push/of/${tokenOfPrincipal(principal)}`)
  }

  #owner(id: string): Cell<Owner> {
    const { store, prefix } = this.#options
    return new Cell(store, `${prefix}push/owner/${id}`)
  }
}

interface Owner {
  readonly principal: string
  readonly auth: string
}

/** What a subscription is called: its address is a secret. */
export function idOf(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('base64url')
}

function isKey(value: unknown, bytes: number): value is string {
  return (
    typeof value === 'string' && /^[\w-]{1,120}={0,2}$/.test(value) && Buffer.from(value, 'base64url').length === bytes
  )
}

function isSame(known: string, given: string): boolean {
  const [a, b] = [Buffer.from(known, 'base64url'), Buffer.from(given, 'base64url')]
  return a.length === b.length && timingSafeEqual(a, b)
}

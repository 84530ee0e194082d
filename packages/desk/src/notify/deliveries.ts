// What each person is to be told on each channel, and was told: a record for each, its name among those of its ask, and, while
// there is something to do about it, in the queue of its channel by when. A record is written first and its names after it, and
// the next look at the ask writes what is missing.
import { createHash } from 'node:crypto'
import type { Store } from 'beckon/store'
import { Cell, OrderedSet } from 'beckon/store/handles'

export interface Delivery {
  readonly principal: string
  readonly channel: string
  readonly session: string
  readonly ask: string
  readonly instance: string
  readonly wants: 'send' | 'withdraw' | 'nothing'
  /** Whether the person was told, or may have been. */
  readonly isSent: boolean
  /** Which reminder it is, 0 for none. */
  readonly reminder: number
  /** Since when it is wanted. */
  readonly since: number
  /** How often it was tried in vain. */
  readonly attempts: number
  /** When it is of no use any more. */
  readonly expiresAt: number
}

export type Wanted = Pick<Delivery, 'principal' | 'channel' | 'session' | 'ask' | 'instance' | 'expiresAt'>

/** So long a record outlives its ask. */
const keptMs = 2 * 24 * 60 * 60 * 1000

export class Deliveries {
  readonly #store: Store
  readonly #prefix: string

  constructor(store: Store, prefix: string) {
    this.#store = store
    this.#prefix = prefix
  }

  /** Someone is to be told from then on, and once more for each reminder. */
  async want(
    wanted: Wanted,
    { at, since, reminder }: { at: number; since: number; reminder: number },
  ): Promise<string> {
    const id = idOf(wanted)
    const { channel, expiresAt } = wanted
    const isQueued = await this.#cell(id).update<boolean>(known => {
      const isThere = known !== undefined && known.wants !== 'withdraw' && known.reminder >= reminder
      if (isThere) return { result: known.wants === 'send' }
      const isSent = known?.isSent ?? false
      const value: Delivery = { ...wanted, wants: 'send', isSent, reminder, since, attempts: 0 }
      return { value, expiresAt: expiresAt + keptMs, result: true }
    })
    await this.#of(wanted).put(id, at, { expiresAt: expiresAt + keptMs, if: 'absent' })
    if (isQueued) await this.queue(channel).put(id, at, { if: 'absent' })
    return id
  }

  /** Someone was told, or was to be, and need not any more. */
  async unwant(id: string, now: number): Promise<string | undefined> {
    const channel = await this.#cell(id).update<string | undefined>(known => {
      if (known === undefined) return { result: undefined }
      if (known.wants === 'withdraw') return { result: known.channel }
      const value: Delivery = { ...known, wants: 'withdraw', since: now, attempts: 0 }
      return { value, expiresAt: Math.max(now, known.expiresAt) + keptMs, result: known.channel }
    })
    if (channel !== undefined) await this.queue(channel).put(id, now)
    return channel
  }

  get(id: string): Promise<Delivery | undefined> {
    return this.#cell(id).get()
  }

  /** The ids of all that was wanted for an ask. */
  async of(ask: Pick<Wanted, 'session' | 'instance'>): Promise<string[]> {
    const ids: string[] = []
    for await (const page of this.#of(ask).pages({ limit: 500 })) ids.push(...page.map(({ member }) => member))
    return ids
  }

  /** Something was done about a record: changes it as it is now, unless it is gone. */
  async change(id: string, change: (known: Delivery) => Delivery): Promise<void> {
    await this.#cell(id).update(known => ({
      ...(known && { value: change(known), expiresAt: known.expiresAt + keptMs }),
      result: undefined,
    }))
  }

  /** There is nothing left to do about it, nor to remember. */
  async forget(id: string, { channel, ...ask }: Pick<Wanted, 'channel' | 'session' | 'instance'>): Promise<void> {
    await this.queue(channel).remove(id)
    await this.#of(ask).remove(id)
    await this.#cell(id).delete()
  }

  /** What is to be done on a channel, by when. */
  queue(channel: string): OrderedSet {
    return new OrderedSet(this.#store, `${this.#prefix}queue/${channel}`)
  }

  #of({ session, instance }: Pick<Wanted, 'session' | 'instance'>): OrderedSet {
    return new OrderedSet(this.#store, `${this.#prefix}told/${session}/${instance}`)
  }

  #cell(id: string): Cell<Delivery> {
    return new Cell(this.#store, `${this.#prefix}deliveries/${id}`)
  }
}

function idOf({ channel, principal, session, instance }: Omit<Wanted, 'ask' | 'expiresAt'>): string {
  return createHash('sha256')
    .update(JSON.stringify([channel, principal, session, instance]))
    .digest('base64url')
}

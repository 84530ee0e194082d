import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import type { Order } from '../log/order.js'
import { askKey } from './ask-key.js'
import type { Audit } from './audit.js'

export interface RemindersOptions {
  readonly order: Order
  readonly audit: Audit
  readonly store: Store
  /** The name of the desk in the store. */
  readonly name: string
  readonly clock: Clock
  /** Someone should be reminded of an ask. */
  readonly onReminder: (session: string, request: string) => void
  readonly onError: (error: unknown) => void
}

/** Reminds of open asks: once for each time, however many nodes keep it. */
export class Reminders {
  readonly #options: RemindersOptions

  constructor(options: RemindersOptions) {
    this.#options = options
  }

  /** It is time to remind of an ask that is open until `expiresAt`. */
  async remind(
    session: string,
    request: string,
    { time, expiresAt }: { time: number; expiresAt: number },
  ): Promise<void> {
    const { order, audit, clock, onReminder, onError } = this.#options
    const isFirst = await this.#claim(`${askKey(session, request)}/${time}`, expiresAt)
    if (!isFirst || order.state.session(session)?.openRequest(request) === undefined) return
    onReminder(session, request)
    await audit.record({ event: 'reminded', at: clock.now(), session, request }).catch(onError)
  }

  /** While the store is away nobody can say who is first: twice is better than never. */
  async #claim(what: string, expiresAt: number): Promise<boolean> {
    const { store, name } = this.#options
    const key = `${name}/reminders/${what}`
    return store.compareAndSet(key, undefined, true, { expiresAt }).then(
      version => version !== undefined,
      () => true,
    )
  }
}

// What was asked for, what was paid, and which call it paid for. Threats: a payment that counts twice, for another call,
// for another person, or that was of another amount. A payment is kept by its reference with all of that, and every change is
// a compare-and-set. A payment that comes too late for its call waits there for the next call of the same person for the same
// thing: money that was taken is never asked for again.
import { digest } from '../../crypto/digest.js'
import { Cell } from '../../store/handles/index.js'
import type { JsonValue, Store } from '../../store/index.js'
import type { PaymentProvider, PaymentStatus, Receipt } from './checkout.js'

/** One payment that was asked for. */
export interface Payment {
  readonly reference: string
  readonly flowId: string
  readonly amount: number
  readonly currency: string
  /** `other`: something was paid, and it is not what was asked for. */
  readonly status: 'open' | 'paid' | 'failed' | 'other'
  readonly paymentId: string | null
  /** The one step of the one call that it paid for. */
  readonly usedBy: string | null
}

/** Who pays for what. */
export interface Purchase {
  readonly sessionId: string
  /** The tool and its arguments. */
  readonly target: JsonValue
  readonly amount: number
  readonly currency: string
}

/** How long a payment can be used after it was asked for. */
const keepMs = 30 * 24 * 60 * 60 * 1000
/** Of checkouts for the same thing, so many are looked at: the latest ones. */
const maxOpen = 5

export class PaymentLedger {
  readonly #name: string
  readonly #provider: PaymentProvider

  constructor(name: string, provider: PaymentProvider) {
    this.#name = name
    this.#provider = provider
  }

  /** Writes down that a payment was asked for, before anybody can make it. */
  async open(
    store: Store,
    purchase: Purchase,
    { reference, flowId }: Pick<Payment, 'reference' | 'flowId'>,
    now: number,
  ): Promise<void> {
    const { amount, currency } = purchase
    const payment: Payment = { reference, flowId, amount, currency, status: 'open', paymentId: null, usedBy: null }
    const expiresAt = now + keepMs
    const isNew = await this.#payment(store, reference).update(known =>
      known === undefined ? { value: payment, expiresAt, result: true } : { result: false },
    )
    if (!isNew) throw new Error('The payment provider gave a reference that it gave before.')
    await this.#references(store, purchase).update((known = []) => ({
      value: [reference, ...known].slice(0, maxOpen),
      expiresAt,
      result: undefined,
    }))
  }

  /** Writes down what the provider says. Gives the payment as it stands then; undefined for one that nobody asked for. */
  settle(store: Store, told: PaymentStatus, now: number): Promise<Payment | undefined> {
    return this.#change(store, told.reference, now, payment => {
      // A payment that arrived stays, whatever comes after it or out of order.
      if (payment.status === 'paid' || told.status === 'open') return undefined
      if (told.status === 'failed') return payment.status === 'open' ? { ...payment, status: 'failed' } : undefined
      const isRight = told.amount === payment.amount && String(told.currency).toLowerCase() === payment.currency
      return { ...payment, status: isRight ? 'paid' : 'other', paymentId: told.paymentId ?? null }
    })
  }

  /** Asks the provider how a payment stands, where it can be asked. */
  async verify(store: Store, reference: string, now: number): Promise<Payment | undefined> {
    const known = await this.#payment(store, reference).get()
    const { verify } = this.#provider
    if (known?.status !== 'open' || verify === undefined) return known
    const told = await ask(verify, reference)
    return told.reference === reference ? this.settle(store, told, now) : known
  }

  /** Uses up a payment for a purchase: for one caller, for good. The same caller gets it again. */
  async use(store: Store, purchase: Purchase, by: string, now: number): Promise<Payment | undefined> {
    for (const reference of (await this.#references(store, purchase).get()) ?? []) {
      const payment = await this.verify(store, reference, now)
      if (payment?.status !== 'paid' || (payment.usedBy ?? by) !== by) continue
      const used = await this.#change(store, reference, now, known =>
        known.usedBy === null ? { ...known, usedBy: by } : undefined,
      )
      if (used?.usedBy === by) return used
    }
    return undefined
  }

  #change(
    store: Store,
    reference: string,
    now: number,
    next: (payment: Payment) => Payment | undefined,
  ): Promise<Payment | undefined> {
    return this.#payment(store, reference).update(payment => {
      const changed = payment && next(payment)
      return changed === undefined ? { result: payment } : { value: changed, expiresAt: now + keepMs, result: changed }
    })
  }

  #payment(store: Store, reference: string): Cell<Payment> {
    return new Cell(store, `payment/${digest([this.#name, reference])}`)
  }

  /** The references of what was asked for one thing, the latest first. */
  #references(store: Store, purchase: Purchase): Cell<readonly string[]> {
    return new Cell(store, `purchase/${digest([this.#name, purchase])}`)
  }
}

async function ask(verify: NonNullable<PaymentProvider['verify']>, reference: string): Promise<PaymentStatus> {
  try {
    return await verify(reference)
  } catch (cause) {
    // To go on as if nothing was paid could have a person pay twice.
    throw new Error('The payment provider does not say whether it was paid, so nothing was done. Try again.', { cause })
  }
}

/** What a person gets to see of a payment. */
export function receiptOf({ reference, amount, currency, paymentId }: Payment): Receipt {
  return { reference, amount, currency, ...(paymentId !== null && { paymentId }) }
}

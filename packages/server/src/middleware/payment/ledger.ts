// What was asked for, what was paid, and which call it paid for. Threats: a payment that counts twice, for another call,
// for another person, or that was of another amount. A payment is kept by its reference with all of that, and every change is
// a compare-and-set. A payment that comes too late for its call waits there for the next call of the same person for the same
// thing: money that was taken is never asked for again.
import { digest } from '../../crypto/digest.js'
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
    const isNew = await store.compareAndSet(this.#paymentKey(reference), undefined, { ...payment }, { expiresAt })
    if (isNew === undefined) throw new Error('The payment provider gave a reference that it gave before.')
    const key = this.#purchaseKey(purchase)
    for (;;) {
      const known = await store.get(key)
      const references = [reference, ...readReferences(known?.value)].slice(0, maxOpen)
      if ((await store.compareAndSet(key, known?.version, references, { expiresAt })) !== undefined) return
    }
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
    const known = await this.#read(store, reference)
    const { verify } = this.#provider
    if (known?.status !== 'open' || verify === undefined) return known
    const told = await ask(verify, reference)
    return told.reference === reference ? this.settle(store, told, now) : known
  }

  /** Uses up a payment for a purchase: for one caller, for good. The same caller gets it again. */
  async use(store: Store, purchase: Purchase, by: string, now: number): Promise<Payment | undefined> {
    const list = await store.get(this.#purchaseKey(purchase))
    for (const reference of readReferences(list?.value)) {
      const payment = await this.verify(store, reference, now)
      if (payment?.status !== 'paid' || (payment.usedBy ?? by) !== by) continue
      const used = await this.#change(store, reference, now, known =>
        known.usedBy === null ? { ...known, usedBy: by } : undefined,
      )
      if (used?.usedBy === by) return used
    }
    return undefined
  }

  async #change(
    store: Store,
    reference: string,
    now: number,
    next: (payment: Payment) => Payment | undefined,
  ): Promise<Payment | undefined> {
    for (;;) {
      const entry = await store.get(this.#paymentKey(reference))
      if (entry === undefined) return undefined
      // What is under this key, we wrote.
      const payment = entry.value as unknown as Payment
      const changed = next(payment)
      if (changed === undefined) return payment
      const expiresAt = now + keepMs
      const written = await store.compareAndSet(
        this.#paymentKey(reference),
        entry.version,
        { ...changed },
        { expiresAt },
      )
      if (written !== undefined) return changed
    }
  }

  async #read(store: Store, reference: string): Promise<Payment | undefined> {
    return (await store.get(this.#paymentKey(reference)))?.value as unknown as Payment | undefined
  }

  #paymentKey(reference: string): string {
    return `payment/${digest([this.#name, reference])}`
  }

  #purchaseKey(purchase: Purchase): string {
    return `purchase/${digest([this.#name, purchase])}`
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

function readReferences(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** What a person gets to see of a payment. */
export function receiptOf({ reference, amount, currency, paymentId }: Payment): Receipt {
  return { reference, amount, currency, ...(paymentId !== null && { paymentId }) }
}

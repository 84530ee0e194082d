// What was asked for, what was paid, and which call it paid for. Threats: a payment that counts twice, for another call,
// for another person, or that was of another amount. A payment is kept by its reference with all of that, and every change is
// a compare-and-set. A payment that comes too late for its call waits there for the next call of the same person for the same
// thing: money that was taken is never asked for again.
// Threat: many calls for the same thing, of which a person pays one, and another one's payment is forgotten. A checkout that is
// open is used again by the next who comes for the same thing, so that there is one at a time; and none is forgotten that may be paid.
import { digest } from '../../crypto/digest.js'
import { Cell } from '../../store/handles/index.js'
import type { JsonValue, Store } from '../../store/index.js'
import type { Checkout, PaymentProvider, PaymentStatus, Receipt } from './checkout.js'

/** One payment that was asked for. */
export interface Payment {
  readonly reference: string
  /** Where it can be paid. */
  readonly url: string
  readonly openedAt: number
  /** The flows that wait for it, the latest last. */
  readonly flowIds: readonly string[]
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
/** How long a checkout is taken to be open where the provider cannot be asked. */
const openMs = 60 * 60 * 1000
/** So many flows are told of one payment. Any other finds it when its time is over. */
const maxFlows = 100

export class PaymentLedger {
  readonly #name: string
  readonly #provider: PaymentProvider

  constructor(name: string, provider: PaymentProvider) {
    this.#name = name
    this.#provider = provider
  }

  /** Names what is done for a purchase by one call at a time. */
  openingOf(purchase: Purchase): string {
    return `${this.#purchaseKey(purchase)}/opening`
  }

  /** Has a flow wait for a checkout that is open for the same thing, or paid and not used. Undefined where none is. */
  async join(store: Store, purchase: Purchase, flowId: string, now: number): Promise<Checkout | undefined> {
    for (const reference of (await this.#references(store, purchase).get()) ?? []) {
      const payment = await this.verify(store, reference, now)
      const isOld = this.#provider.verify === undefined && now >= (payment?.openedAt ?? 0) + openMs
      if (payment === undefined || (payment.status === 'open' && isOld)) continue
      if (await this.#wait(store, reference, flowId, now)) return payment
    }
    return undefined
  }

  /** Writes down that a payment was asked for, before anybody can make it. A second time for the same flow changes nothing. */
  async open(
    store: Store,
    purchase: Purchase,
    { reference, url, flowId }: Checkout & { readonly flowId: string },
    now: number,
  ): Promise<void> {
    const { amount, currency } = purchase
    const asked = { reference, url, openedAt: now, flowIds: [flowId], amount, currency }
    const payment: Payment = { ...asked, status: 'open', paymentId: null, usedBy: null }
    const expiresAt = now + keepMs
    const isOurs = await this.#payment(store, reference).update(known =>
      known === undefined
        ? { value: payment, expiresAt, result: true }
        : { result: known.flowIds.includes(flowId) && known.amount === amount && known.currency === currency },
    )
    if (!isOurs) throw new Error('The payment provider gave a reference that it gave before.')
    const spent = await this.#spent(store, purchase)
    await this.#references(store, purchase).update((known = []) => ({
      value: [reference, ...known.filter(each => each !== reference && !spent.has(each))],
      expiresAt,
      result: undefined,
    }))
  }

  /** A payment as it is written down. */
  find(store: Store, reference: string): Promise<Payment | undefined> {
    return this.#payment(store, reference).get()
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
    const known = await this.find(store, reference)
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

  /** True when a flow waits for a payment that is to come, or that nobody has used. */
  async #wait(store: Store, reference: string, flowId: string, now: number): Promise<boolean> {
    const waited = await this.#change(store, reference, now, known =>
      isSpent(known) || known.flowIds.includes(flowId)
        ? undefined
        : { ...known, flowIds: [...known.flowIds, flowId].slice(-maxFlows) },
    )
    return waited !== undefined && !isSpent(waited)
  }

  /** References of a purchase that nobody can pay or use any more. */
  async #spent(store: Store, purchase: Purchase): Promise<ReadonlySet<string>> {
    const known = (await this.#references(store, purchase).get()) ?? []
    const payments = await Promise.all(known.map(reference => this.find(store, reference)))
    return new Set(
      known.filter((_, index) => {
        const payment = payments[index]
        return payment === undefined || isSpent(payment)
      }),
    )
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
    return new Cell(store, this.#purchaseKey(purchase))
  }

  #purchaseKey(purchase: Purchase): string {
    return `purchase/${digest([this.#name, purchase])}`
  }
}

/** Whether nobody can pay it, or use what was paid, any more. */
function isSpent({ usedBy, status }: Payment): boolean {
  return usedBy !== null || status === 'failed' || status === 'other'
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

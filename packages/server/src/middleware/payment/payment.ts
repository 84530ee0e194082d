import { callInternals } from '../../author/call-internals.js'
import type { Context } from '../../author/context.js'
import type { MiddlewareHooks } from '../../author/middleware.js'
import {
  endFlow,
  explainEnd,
  type Flow,
  type FlowIds,
  runFlow,
  type UnfinishedEnd,
  withFlows,
} from '../../flows/index.js'
import { withLease } from '../with-lease.js'
import type { PaymentProvider, Receipt } from './checkout.js'
import { PaymentLedger, type Purchase, receiptOf } from './ledger.js'
import { answerPayment, type PaymentData } from './routes.js'
import { withReceipt } from './with-receipt.js'

/** What a call costs. */
export interface Price {
  /** In the smallest unit of the currency: cents. A whole number above 0. */
  amount: number
  /** As ISO 4217 has it: `EUR`. */
  currency: string
  /** What the person reads on the page. */
  description: string
}

export interface PaymentOptions<Name extends string = string> extends PaymentProvider {
  price: Price | ((ctx: Context) => Price | Promise<Price>)
  /**
   * Tells several of them on one server apart; the webhook is `<publicUrl>/beckon/<name>/webhook`, and the receipt is
   * `ctx.var[name]`. Default: `payment`.
   */
  name?: Name
  /** What the person reads before the page is opened. */
  message?: string
  /** How long a person may take to pay. Default: 5 minutes. */
  timeoutMs?: number
  /** The handler failed after the money came in: give it back, or say so to someone. Called once. */
  onFailure?: (receipt: Receipt, ctx: Context) => void | Promise<void>
}

/** How long a provider may take to open a checkout before the next call tries. */
const openingMs = 30_000

/** What the handler finds in `ctx.var`, by the name of the `payment()`: what was paid for this very call. */
export type PaymentVars<Name extends string = 'payment'> = { readonly [Key in Name]: Receipt }

/**
 * Has the person pay before the handler runs. A payment is good for one call of the same person with the same arguments.
 * @example
 * const paid = payment({
 *   price: { amount: 500, currency: 'EUR', description: 'A printed report' },
 *   ...stripe({ secretKey, webhookSecret }),
 * })
 * server.tool('print_report', { use: [paid] }, async (_input, ctx) => ctx.text(`Printed, ${ctx.var.payment.reference}.`))
 */
export function payment<const Name extends string = 'payment'>(
  options: PaymentOptions<Name>,
): MiddlewareHooks<PaymentVars<Name>> {
  const { name = 'payment' as Name, timeoutMs, onFailure, checkout, verify, webhook } = options
  if (verify === undefined && webhook === undefined)
    throw new TypeError('payment() needs `verify`, `webhook`, or both.')
  const ledger = new PaymentLedger(name, options)
  const paid = new WeakSet<Context>()
  const flow: Flow<PaymentData, null> = {
    name,
    endsBy: 'page',
    route: (request, route) => answerPayment(request, route, { provider: options, ledger }),
  }

  /** In a step, so that a replay goes the same way, and the step's id is the one that may use the payment. */
  const use = (ctx: Context, purchase: Purchase) =>
    ctx.step(`${name} use`, async ({ id }) => {
      const { store, clock } = callInternals(ctx)
      const used = await ledger.use(store, purchase, id, clock.now())
      if (used === undefined) return null
      // Its page is of no use to anybody any more: other calls that waited for it need one of their own.
      for (const flowId of used.flowIds) await endFlow(ctx, flow, flowId)
      return receiptOf(used)
    })

  /** What was paid for this call, now or before; else why not. */
  async function collect(ctx: Context, price: Price): Promise<Receipt | UnfinishedEnd> {
    const purchase = purchaseOf(ctx, price)
    const message = options.message ?? `Pay ${inWords(price)} for: ${price.description}`
    const known = await use(ctx, purchase)
    if (known !== null) return known
    // Again, where another call of the same person was faster to use what was paid.
    for (;;) {
      const end = await runFlow(ctx, flow, { message, timeoutMs, begin: ids => begin(ctx, ids, price) })
      // A person who paid and did not come back has paid.
      const receipt = end.kind === 'done' || end.kind === 'expired' ? await use(ctx, purchase) : null
      if (receipt !== null) return receipt
      if (end.kind !== 'done') return end
    }
  }

  async function begin(ctx: Context, { flowId, elicitationId, sessionId, routeUrl }: FlowIds, price: Price) {
    const { store, clock, waits } = callInternals(ctx)
    const purchase = purchaseOf(ctx, price)
    // One after the other: of calls that come together, the first opens a checkout, and the others join.
    const lease = { where: { store, clock, waits }, key: ledger.openingOf(purchase), leaseMs: openingMs }
    const { url, reference } = await withLease(lease, async () => {
      const open = await ledger.join(store, purchase, flowId, clock.now())
      if (open !== undefined) return open
      const returnUrl = `${routeUrl}/return/${flowId}`
      const cancelUrl = `${routeUrl}/cancel/${flowId}`
      const begun = await checkout({ ...price, elicitationId, sessionId, returnUrl, cancelUrl })
      await ledger.open(store, purchase, { ...begun, flowId }, clock.now())
      return begun
    })
    return { url, data: { reference } }
  }

  const gate: MiddlewareHooks<PaymentVars<Name>> = {
    name,
    async onCall(ctx, next) {
      // Put before everything and before this tool as well, it is still one call.
      if (paid.has(ctx)) return next()
      const price = await ctx.step(`${name} price`, async () => checkPrice(await priceOf(options, ctx)))
      const receipt = await collect(ctx, price)
      if ('kind' in receipt) return explainEnd(ctx, receipt)
      paid.add(ctx)
      ctx.set(name, receipt)
      return withReceipt(ctx, receipt, next, onFailure)
    },
  }
  return withFlows(gate, flow)
}

function priceOf({ price }: PaymentOptions, ctx: Context): Price | Promise<Price> {
  return typeof price === 'function' ? price(ctx) : price
}

function checkPrice({ amount, currency, description }: Price): Price {
  if (!Number.isSafeInteger(amount) || amount <= 0)
    throw new RangeError('The amount of a payment is a whole number above 0, in the smallest unit of the currency.')
  if (!/^[a-z]{3}$/i.test(currency)) throw new RangeError('The currency of a payment has three letters: "EUR".')
  return { amount, currency: currency.toLowerCase(), description }
}

function purchaseOf(ctx: Context, { amount, currency }: Price): Purchase {
  return { sessionId: ctx.sessionId, target: { ...callInternals(ctx).call.target }, amount, currency }
}

function inWords({ amount, currency }: Price): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

// Stripe's Checkout, by its HTTP API. Threats: a notice that Stripe did not send (HMAC of the body, with the webhook's
// secret), and an old one sent again (its time is in the signature; a repeat within that time changes nothing, since a payment
// is settled once).
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Checkout, CheckoutRequest, PaymentProvider, PaymentStatus } from './checkout.js'

export interface StripeOptions {
  secretKey: string
  /** Of the webhook endpoint: `whsec_...`. Without one, payments are settled when the person comes back. */
  webhookSecret?: string
  /** Default: Stripe's own. */
  apiUrl?: string
  /** How old a notice may be. Default: 5 minutes, as Stripe has it. */
  toleranceMs?: number
  /** How long Stripe may take for an answer. Default: 15 seconds. */
  answerMs?: number
  /** For tests. */
  now?: () => number
}

/** What Stripe says of a checkout. */
interface StripeSession {
  id?: unknown
  url?: unknown
  status?: unknown
  payment_status?: unknown
  amount_total?: unknown
  currency?: unknown
  payment_intent?: unknown
}

const defaultToleranceMs = 5 * 60 * 1000
const defaultAnswerMs = 15_000

/**
 * Takes payments with Stripe Checkout.
 * @example
 * payment({ price, ...stripe({ secretKey, webhookSecret }) })
 */
export function stripe(options: StripeOptions): PaymentProvider {
  const { secretKey, webhookSecret, apiUrl = 'https://api.stripe.com', answerMs = defaultAnswerMs } = options
  if (secretKey === '' || webhookSecret === '') throw new TypeError('The keys of stripe() must not be empty.')

  async function call(path: string, init: RequestInit = {}): Promise<StripeSession> {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${secretKey}`)
    const signal = AbortSignal.timeout(answerMs)
    const url = `${apiUrl}/v1/checkout/sessions${path}`
    const response = await fetch(url, { ...init, headers, signal, redirect: 'error' }).catch(cause => {
      throw new Error('Stripe could not be reached.', { cause })
    })
    if (response.ok) return (await response.json()) as StripeSession
    await response.body?.cancel()
    throw new Error(`Stripe answered with status ${response.status}.`)
  }

  async function checkout(request: CheckoutRequest): Promise<Checkout> {
    const { id, url } = await call('', {
      method: 'POST',
      headers: { 'idempotency-key': request.elicitationId },
      body: formOf(request),
    })
    if (typeof id !== 'string' || typeof url !== 'string') throw new Error('Stripe answered without a page to pay at.')
    return { url, reference: id }
  }

  const verify = async (reference: string) => statusOf(await call(`/${encodeURIComponent(reference)}`))

  if (webhookSecret === undefined) return { checkout, verify }
  return {
    checkout,
    verify,
    async webhook(request) {
      const body = await request.text()
      checkSignature(request.headers.get('stripe-signature') ?? '', body, webhookSecret, options)
      return readEvent(JSON.parse(body))
    },
  }
}

function formOf({
  amount,
  currency,
  description,
  elicitationId,
  returnUrl,
  cancelUrl,
}: CheckoutRequest): URLSearchParams {
  return new URLSearchParams({
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': currency,
    'line_items[0][price_data][unit_amount]': String(amount),
    'line_items[0][price_data][product_data][name]': description,
    client_reference_id: elicitationId,
    success_url: returnUrl,
    cancel_url: cancelUrl,
  })
}

/** @throws unless Stripe signed this very body, not long ago */
function checkSignature(
  header: string,
  body: string,
  secret: string,
  { toleranceMs, now = Date.now }: StripeOptions,
): void {
  const parts = header.split(',').map(part => part.split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest()
  const isSigned = parts.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex')
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!/^\d+$/.test(time) || !isSigned) throw new Error('This was not signed by Stripe.')
  if (Math.abs(now() - Number(time) * 1000) > (toleranceMs ?? defaultToleranceMs))
    throw new Error('The signature of Stripe is too old.')
}

function readEvent(event: { type?: unknown; data?: { object?: StripeSession } }): PaymentStatus | undefined {
  const session = event.data?.object
  if (typeof event.type !== 'string' || !event.type.startsWith('checkout.session.') || session === undefined)
    return undefined
  const status = statusOf(session)
  return event.type.endsWith('_failed') ? { ...status, status: 'failed' } : status
}

function statusOf({
  id,
  status,
  payment_status,
  amount_total,
  currency,
  payment_intent,
}: StripeSession): PaymentStatus {
  const isPaid = payment_status === 'paid'
  return {
    status: isPaid ? 'paid' : status === 'expired' ? 'failed' : 'open',
    reference: String(id),
    // Anything but a number is not an amount, and so another one than what was asked for.
    amount: typeof amount_total === 'number' ? amount_total : Number.NaN,
    currency: String(currency),
    paymentId: typeof payment_intent === 'string' ? payment_intent : undefined,
  }
}

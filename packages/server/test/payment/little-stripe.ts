// A stand-in for Stripe on this machine: it takes checkouts, has a page to pay at, and signs its notices as Stripe does.
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEveryTest } from '../../../../test/every-file.js'

export const secretKey = 'sk_test_of-the-stand-in'
export const webhookSecret = 'whsec_of-the-stand-in'

const open: { close(): Promise<void> }[] = []
afterEveryTest(async () => {
  for (const it of open.splice(0)) await it.close()
})

/** A checkout, as Stripe has it. */
export interface StripeCheckout {
  id: string
  url: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid'
  amount_total: number
  currency: string
  payment_intent: string | null
  success_url: string
  cancel_url: string
}

export interface LittleStripe {
  readonly url: string
  readonly checkouts: Map<string, StripeCheckout>
  /** What came to the API, with its idempotency key. */
  readonly requests: { readonly form: URLSearchParams; readonly key: string | undefined }[]
  /** Takes notices, as the webhook endpoint of a server. */
  deliver: (notice: Request) => Promise<unknown>
  /** Answers the API with this status instead. */
  failWith: number | undefined
  /** Takes the money. */
  pay(id: string, change?: Partial<StripeCheckout>): StripeCheckout
  close(): Promise<void>
}

export async function littleStripe(): Promise<LittleStripe> {
  const http = createServer((request, response) => void serve(request, response))
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const [, id = ''] = /^\/(?:v1\/checkout\/sessions|pay)\/(.+)$/.exec(path) ?? []
    if (path.startsWith('/v1/')) return answerApi(request, response, form, id)
    const checkout = little.checkouts.get(id)
    if (checkout === undefined) return void response.writeHead(404).end()
    if (request.method !== 'POST') return showPage(response, checkout)
    if (form.get('do') === 'pay') await little.deliver(notice('checkout.session.completed', little.pay(id)))
    response.writeHead(303, { location: form.get('do') === 'pay' ? checkout.success_url : checkout.cancel_url }).end()
  }

  function answerApi(request: IncomingMessage, response: ServerResponse, form: URLSearchParams, id: string): void {
    const isKnown = request.headers.authorization === `Bearer ${secretKey}`
    const status = isKnown ? little.failWith : 401
    if (status !== undefined) return void response.writeHead(status).end('{}')
    if (request.method === 'POST') {
      little.requests.push({ form, key: String(request.headers['idempotency-key']) })
      id = `cs_test_${little.requests.length}`
      little.checkouts.set(id, checkoutOf(id, url, form))
    }
    response.end(JSON.stringify(little.checkouts.get(id)))
  }

  const little: LittleStripe = {
    url,
    checkouts: new Map(),
    requests: [],
    deliver: async () => {},
    failWith: undefined,
    pay(id, change = {}) {
      const checkout = little.checkouts.get(id)
      if (checkout === undefined) throw new Error(`There is no checkout ${id}.`)
      const paid = { status: 'complete', payment_status: 'paid', payment_intent: `pi_${id}` } as const
      return Object.assign(checkout, paid, change)
    },
    close: () =>
      new Promise(resolve => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  open.push(little)
  return little
}

function checkoutOf(id: string, url: string, form: URLSearchParams): StripeCheckout {
  return {
    id,
    url: `${url}/pay/${id}`,
    status: 'open',
    payment_status: 'unpaid',
    amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
    currency: String(form.get('line_items[0][price_data][currency]')),
    payment_intent: null,
    success_url: String(form.get('success_url')),
    cancel_url: String(form.get('cancel_url')),
  }
}

function showPage(response: ServerResponse, { amount_total, currency }: StripeCheckout): void {
  response.setHeader('content-type', 'text/html')
  response.end(
    `<!doctype html><html lang="en"><title>Pay</title><h1>${amount_total} ${currency}</h1><form method="post">
<button name="do" value="pay">Pay</button><button name="do" value="cancel">Cancel</button></form></html>`,
  )
}

/** A signed notice, as it comes to the webhook of a server at `https://shop.example`. */
export function notice(
  type: string,
  checkout: Partial<StripeCheckout>,
  { secret = webhookSecret, at = Date.now(), base = 'https://shop.example' } = {},
): Request {
  const body = JSON.stringify({ id: 'evt_1', type, data: { object: checkout } })
  const time = Math.floor(at / 1000)
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return new Request(`${base}/beckon/payment/webhook/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v0=rubbish,v1=${signature}` },
    body,
  })
}

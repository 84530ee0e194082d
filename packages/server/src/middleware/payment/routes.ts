import type { OpenFlow, Route } from '../../flows/index.js'
import type { PaymentProvider } from './checkout.js'
import type { Payment, PaymentLedger } from './ledger.js'

export interface RoutesOptions {
  readonly provider: PaymentProvider
  readonly ledger: PaymentLedger
}

/** What is remembered until the person comes back. */
export interface PaymentData {
  readonly reference: string
}

type PaymentRoute = Route<PaymentData, null>
type PaymentFlow = OpenFlow<PaymentData, null>

const arrived = 'The payment has arrived. You can close this page.'
const late =
  'The payment has arrived, and nothing was done with it yet, since nobody waits for it any more. Ask for it again where you were asked: you do not pay a second time.'

/** Takes people who come back from the provider, and what the provider itself has to say. */
export function answerPayment(
  request: Request,
  route: PaymentRoute,
  options: RoutesOptions,
): Promise<Response | undefined> {
  const [kind = '', flowId = ''] = route.rest.split('/')
  if (request.method === 'POST') return kind === 'webhook' ? takeNotice(request, route, options) : nothing()
  if (request.method !== 'GET') return nothing()
  if (kind === 'return') return comeBack(flowId, route, options)
  return kind === 'cancel' ? turnAway(flowId, route, options) : nothing()
}

async function nothing(): Promise<undefined> {}

/** What the person did there counts, whether or not a notice of it was faster or their call waits no more. */
async function comeBack(flowId: string, route: PaymentRoute, { ledger }: RoutesOptions): Promise<Response> {
  const { pages } = route
  const [opened] = await openAll(flowId, route, ledger)
  if (opened.kind === 'refused') return opened.response
  const { flow } = opened
  const payment = await ledger.verify(flow.store, flow.data.reference, flow.now()).catch(() => undefined)
  if (payment !== undefined) {
    await tell(flow, payment)
    await tellAll(route, payment)
  }
  switch (payment?.status) {
    case 'paid':
      return pages.done((await isDone(flow.id, route)) ? arrived : late)
    case 'failed':
      return pages.failed('The payment did not go through. Nothing was done.')
    case 'other':
      return pages.failed('What was paid is not what was asked for. Nothing was done.')
    default:
      if (opened.kind === 'over') return opened.response
      return pages.wait(
        'The payment is being confirmed',
        'Your request continues once the payment has arrived. You can close this page.',
      )
  }
}

type Opened = Awaited<ReturnType<PaymentRoute['open']>>

/**
 * The flows that wait for the same payment as this one, those first that this browser may go on with: a checkout has the
 * address of the flow that opened it, and a person who joined comes back there as well.
 */
async function openAll(flowId: string, route: PaymentRoute, ledger: PaymentLedger): Promise<[Opened, ...Opened[]]> {
  const flow = await route.find(flowId)
  const payment = flow && (await ledger.find(route.store, flow.data.reference))
  const others = (payment?.flowIds ?? []).filter(id => id !== flowId).reverse()
  const own = await route.open(flowId)
  const opened = [own, ...(await Promise.all(others.map(id => route.open(id))))]
  const rank: Record<Opened['kind'], number> = { open: 0, over: 1, refused: 2 }
  const [first = own, ...rest] = opened.sort((a, b) => rank[a.kind] - rank[b.kind])
  return [first, ...rest]
}

async function isDone(flowId: string, route: PaymentRoute): Promise<boolean> {
  const status = (await route.find(flowId))?.status
  return status === 'done' || status === 'settling'
}

/** Of whatever they went there for in this browser. */
async function turnAway(flowId: string, route: PaymentRoute, { ledger }: RoutesOptions): Promise<Response> {
  const [first, ...rest] = await openAll(flowId, route, ledger)
  if (first.kind !== 'open') return first.response
  for (const opened of [first, ...rest]) if (opened.kind === 'open') await opened.flow.fail('The person did not pay.')
  return route.pages.failed('You did not pay, and nothing was done. You can close this page.', 200)
}

/** From the provider. A repeat changes nothing, and one that nobody waits for is kept for the caller that asks again. */
async function takeNotice(
  request: Request,
  route: PaymentRoute,
  { provider, ledger }: RoutesOptions,
): Promise<Response> {
  if (provider.webhook === undefined) return new Response(null, { status: 404 })
  let told: Awaited<ReturnType<NonNullable<PaymentProvider['webhook']>>>
  try {
    told = await provider.webhook(request)
  } catch {
    return new Response('The signature is not valid.', { status: 400 })
  }
  if (told === undefined) return new Response(null, { status: 204 })
  const payment = await ledger.settle(route.store, told, route.now())
  // A provider tells of everything that is paid, also of what others asked for.
  if (payment !== undefined) await tellAll(route, payment)
  return new Response(null, { status: 204 })
}

/** Has every call go on, or end, that waits for a payment. One of them uses it. */
async function tellAll(route: PaymentRoute, payment: Payment): Promise<void> {
  for (const flowId of payment.flowIds) {
    const flow = await route.find(flowId)
    if (flow !== undefined) await tell(flow, payment)
  }
}

/** Has a call go on, or end, by how the payment stands. */
async function tell(flow: PaymentFlow, { status }: Pick<Payment, 'status'>): Promise<void> {
  if (status === 'paid') await flow.complete(null)
  if (status === 'failed') await flow.fail('The payment did not go through.')
  if (status === 'other') await flow.fail('What was paid is not what was asked for.')
}

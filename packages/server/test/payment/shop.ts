// A shop that takes money before it prints, and people who pay there.
import { expect } from 'vitest'
import { z } from 'zod'
import type { ServerOptions } from '../../src/index.js'
import { type PaymentOptions, payment, stripe } from '../../src/middleware/payment/index.js'
import type { TestClientOptions } from '../../src/test/index.js'
import { connect, identify, serve } from '../flows/opened.js'
import { Visitor } from '../flows/visitor.js'
import { opening } from '../flows/wires.js'
import { littleStripe, secretKey, webhookSecret } from './little-stripe.js'

const publicUrl = 'https://shop.example'
export const price = { amount: 1250, currency: 'EUR', description: 'A printed report' }

export interface Setup {
  server?: Partial<ServerOptions>
  payment?: Partial<PaymentOptions>
  /** Without it, payments are settled when the person comes back. */
  webhook?: boolean
  /** Whether the provider can be asked how a payment stands. */
  verifies?: boolean
}

export async function shop({ server: options = {}, payment: more = {}, webhook = true, verifies = true }: Setup = {}) {
  const provider = await littleStripe()
  const server = serve({ publicUrl, identify, ...options })
  const failures: string[] = []
  const { now } = options.clock === undefined ? {} : { now: () => options.clock?.now() ?? 0 }
  const { verify, ...silent } = stripe({
    secretKey,
    apiUrl: provider.url,
    ...(webhook && { webhookSecret }),
    ...(now !== undefined && { now }),
  })
  const taking = verifies && verify ? { ...silent, verify } : silent
  const paid = payment({ price, ...taking, ...more, onFailure: ({ reference }) => void failures.push(reference) })
  let runs = 0
  const input = z.object({ pages: z.number().optional(), fail: z.boolean().optional() })
  server.tool('print', paid, { task: 'optional', input }, ({ fail }, ctx) => {
    runs++
    if (fail) throw new Error('The printer is broken.')
    return `printed ${ctx.var.payment?.reference}`
  })
  const post = (request: Request) => server.fetch(request)
  provider.deliver = post
  const visitor = (user: string) => new Visitor(server, { 'x-user': user })
  const last = () => [...provider.checkouts.values()].at(-1) ?? expect.fail('There is no checkout.')
  return { server, provider, post, visitor, last, failures, runs: () => runs }
}

export type Shop = Awaited<ReturnType<typeof shop>>

/** A client for someone who does `visit` wherever they are sent, once they went on from our page. */
export function buyer(
  { server, visitor }: Shop,
  visit: (who: Visitor, cancelUrl: string) => Promise<unknown>,
  more: TestClientOptions = {},
) {
  const who = visitor(more.principal ?? 'alice')
  return connect(server, {
    principal: 'alice',
    ...opening('rounds', async url => {
      await who.submit(url)
      await visit(who, url.replace('/beckon/go/', '/beckon/payment/cancel/'))
    }),
    replay: 'when-needed',
    ...more,
  })
}

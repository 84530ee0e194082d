import { type BeckonServer, createServer, type ServerOptions } from 'beckon'
import { cache } from 'beckon/cache'
import { except, some } from 'beckon/combine'
import { confirmed } from 'beckon/confirmed'
import { guard } from 'beckon/guard'
import { type LoggedCall, logger } from 'beckon/logger'
import { oauth } from 'beckon/oauth'
import { type PaymentProvider, payment } from 'beckon/payment'
import { rateLimit } from 'beckon/rate-limit'
import { retry } from 'beckon/retry'
import { truncate } from 'beckon/truncate'

export interface PrintShopOptions extends Pick<ServerOptions, 'desk'> {
  issuer: string
  bank: PaymentProvider
  log: (call: LoggedCall) => void
}

/** A shop that prints notes: everything but `come_in` is for members. */
export function createPrintShop({ issuer, bank, desk, log }: PrintShopOptions): BeckonServer {
  const server = createServer({
    name: 'print-shop',
    version: '1.0.0',
    desk,
    // Stands for an authorization of your own.
    identify: ({ headers }) => headers.get('x-person') ?? undefined,
  })
  const notes = oauth({ issuer, clientId: 'print-shop', scopes: ['notes.read'] })
  const paid = payment({ price: { amount: 250, currency: 'EUR', description: 'One printed page' }, ...bank })
  let looks = 0
  let jams = 1

  server.use(logger({ log }), except('come_in', guard({ name: 'member', hidden: true })))
  server.tool(
    'come_in',
    confirmed('Become a member?'),
    { description: 'Become a member', task: 'optional' },
    async (_input, ctx) => {
      await ctx.session.authorize('member')
      return 'Welcome.'
    },
  )
  server.tool(
    'prices',
    cache({ ttlMs: 60_000 }),
    truncate({ maxChars: 26 }),
    { description: 'Look at prices', task: 'optional' },
    () => {
      return `Look ${++looks}: a page is 2.50, a poster is 12.00`
    },
  )
  server.tool('read_notes', notes, { description: 'Read my notes', task: 'optional' }, async (_input, ctx) => {
    const { accessToken } = await notes.token(ctx)
    return accessToken === 'a-token-of-ada' ? 'Buy paper.' : ctx.error('These are not your notes.')
  })
  server.tool(
    'print',
    retry({ delayMs: 0 }),
    paid,
    { description: 'Print my notes', task: 'optional' },
    (_input, ctx) => {
      if (jams-- > 0) throw new Error('The paper is stuck.')
      return `Printed for ${ctx.var.payment.amount} cents.`
    },
  )
  server.tool(
    'ring_bell',
    rateLimit({ max: 1 }),
    some(({ principal }) => principal === 'owner', confirmed('Ring the bell?')),
    { description: 'Ring the bell', task: 'optional' },
    () => 'Ding.',
  )
  return server
}

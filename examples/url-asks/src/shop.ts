import { type BeckonServer, createServer, type ServerOptions } from 'beckon'
import { Hono } from 'hono'
import { z } from 'zod'

/** A server whose tools ask in both modes, inside a web application that has the callback. */
export function createShop({ desk }: Pick<ServerOptions, 'desk'>): { mcp: BeckonServer; app: Hono } {
  const mcp = createServer({ name: 'shop', version: '1.0.0', desk })

  mcp.tool('configure', { description: 'Set preferences', task: 'optional' }, async (_args, c) => {
    const result = await c.elicit.form(
      'Choose your preferences',
      z.object({
        theme: z.enum(['light', 'dark']).describe('Color theme'),
        language: z.string().describe('Preferred language'),
      }),
    )
    if (result.action !== 'accept') return c.text('Configuration cancelled.')
    await c.session.set('preferences', result.content)
    return c.text(`Theme: ${result.content.theme}, Language: ${result.content.language}`)
  })

  mcp.tool('review_terms', { description: 'Have the terms read', task: 'optional' }, async (_args, c) => {
    const result = await c.elicit.url('Review the terms of service', 'https://example.com/tos')
    if (result.action !== 'accept') return c.text('You must accept the terms to continue.')
    return c.text('Thank you.')
  })

  mcp.tool('premium_tool', { description: 'Something that costs', task: 'optional' }, async (_args, c) => {
    const elicitationId = crypto.randomUUID()
    const result = await c.elicit.url(
      'Complete payment to continue',
      `https://pay.example.com/checkout?state=${c.sessionId}:${elicitationId}`,
      { waitForCompletion: true, elicitationId, timeout: 300_000 },
    )
    if (result.action !== 'accept') return c.text('Not paid.')
    return c.text(`Paid: ${await c.session.get('paid')}`)
  })

  const app = new Hono()
  app.all('/mcp', ctx => mcp.fetch(ctx.req.raw))
  app.get('/payment/callback', async ctx => {
    const [sessionId = '', elicitationId = ''] = ctx.req.query('state')?.split(':') ?? []
    await mcp.session(sessionId).set('paid', true)
    if (!(await mcp.completeElicitation(elicitationId))) return ctx.html('<p>This link is not valid.</p>', 404)
    return ctx.html('<p>Done! You can close this tab.</p>')
  })
  return { mcp, app }
}

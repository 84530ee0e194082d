// The code of lynq's page "Elicitation".
import type { BeckonServer } from 'beckon'
import { Hono } from 'hono'
import { z } from 'zod'

export function lynq(server: BeckonServer): void {
  server.tool('configure', { description: 'Set preferences' }, async (_args, c) => {
    const result = await c.elicit.form(
      'Choose your preferences',
      z.object({
        theme: z.enum(['light', 'dark']).describe('Color theme'),
        language: z.string().describe('Preferred language'),
      }),
    )

    if (result.action !== 'accept') {
      return c.text('Configuration cancelled.')
    }

    c.session.set('preferences', result.content)
    return c.text(`Theme: ${result.content.theme}, Language: ${result.content.language}`)
  })
  server.tool('preferences', {}, async (_args, c) => ({ found: (await c.session.get('preferences')) ?? null }))

  server.tool('terms', {}, async (_args, c) => {
    const result = await c.elicit.url('Review the terms of service', 'https://example.com/tos')

    if (result.action !== 'accept') {
      return c.text('You must accept the terms to continue.')
    }
    return c.text(JSON.stringify(result))
  })

  server.tool('premium_tool', {}, async (_args, c) => {
    const elicitationId = crypto.randomUUID()

    const result = await c.elicit.url(
      'Complete payment to continue',
      `https://pay.example.com/checkout?state=${c.sessionId}:${elicitationId}`,
      { waitForCompletion: true, elicitationId, timeout: 300_000 },
    )
    return { ...result, paid: (await c.session.get('paid')) ?? null }
  })
}

/** The route that the payment page calls back, as the person's browser opens it. */
export function callbackOf(mcp: BeckonServer): (url: string) => Promise<string> {
  const app = new Hono()
  app.get('/payment/callback', async ctx => {
    const [sessionId = '', elicitationId = ''] = ctx.req.query('state')?.split(':') ?? []
    mcp.session(sessionId).set('paid', true)
    mcp.completeElicitation(elicitationId)
    return ctx.html('<p>Done! You can close this tab.</p>')
  })
  return async url => (await app.request(`/payment/callback${new URL(url).search}`)).text()
}

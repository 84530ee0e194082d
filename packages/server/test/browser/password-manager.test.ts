import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { noFullBrowser } from '../../../../test/chromium.js'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { connect, serve, textOf } from '../flows/opened.js'
import { opening } from '../flows/wires.js'
import { browserThatKnows } from './password-manager.js'

const known = { username: 'ada@example.com', password: 'correct horse' }
const password = z.string().min(1)

const title = `a browser’s password manager${noFullBrowser === undefined ? '' : ` (${noFullBrowser})`}`

describe.skipIf(noFullBrowser !== undefined)(title, { timeout: 180_000 }, () => {
  it.each([
    ['a user name', { username: z.string().min(1), password }],
    ['an email address', { email: z.email(), password }],
    [
      'a user name, a tenant and a one-time code',
      { tenant: z.string().optional(), username: z.string(), password, otp: z.string().optional() },
    ],
  ])('fills in the sign-in page with %s and the password, and nothing else', async (_what, fields) => {
    const server = serve()
    const login = credentials({ message: 'Sign in.', schema: z.object(fields), verify: values => values })
    server.tool('stock', login, {}, async (_input, ctx) => ctx.json(await ctx.session.get('credentials')))
    const { url } = await server.listen({ port: 0 })
    const { context, close } = await browserThatKnows({ origin: `${new URL(url).origin}/`, ...known })
    const client = connect(
      server,
      opening('rounds', async link => {
        const page = await context.newPage()
        await page.goto(link)
        await page.locator('input[type=password]:autofill').waitFor()
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('heading', { name: 'Done' }).waitFor()
      }),
    )
    try {
      const [name = ''] = Object.keys(fields).filter(field => field === 'username' || field === 'email')
      const filled = { [name]: known.username, password: known.password }
      expect(JSON.parse(textOf(await client.callTool('stock')))).toEqual(filled)
    } finally {
      await close()
    }
  })
})

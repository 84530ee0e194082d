import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { login, right, schema, wrong } from './login.js'
import { connect, serve, textOf } from './opened.js'
import { Visitor } from './visitor.js'
import { opening } from './wires.js'

describe('credentials on their page', () => {
  it('that cannot be checked now let the person try again, and say nothing of why', async () => {
    const verify = vi
      .fn()
      .mockRejectedValueOnce(new Error('ldap: correct horse refused'))
      .mockResolvedValue({ id: 'ada' })
    const server = serve()
    server.tool('stock', login({ verify }), {}, () => 'in')
    const client = connect(
      server,
      opening('push', async url => {
        const visitor = new Visitor()
        const page = await visitor.submit(url, right)
        expect(page).toMatchObject({ status: 503, title: 'Sign in' })
        expect(page.text).not.toContain('ldap')
        await visitor.submit(url, right, page)
      }),
    )
    expect(textOf(await client.callTool('stock'))).toBe('in')
  })

  it('that a person will not give are refused with their reason', async () => {
    const server = serve()
    server.tool('stock', login({ verify: () => null }), {}, () => 'in')
    const client = connect(server, { answer: () => ({ action: 'decline', reason: 'Not from this machine.' }) })
    expect(textOf(await client.callTool('stock'))).toBe(
      'The person declined. Nothing was done. They said: "Not from this machine."',
    )
  })

  it('are in no log, whatever a schema or verify throws', async () => {
    const logged: unknown[] = []
    const throwing = z.object({
      username: z.string(),
      password: z.string().refine(value => {
        if (value.startsWith('battery')) throw new Error(`too common: ${value}`)
        return true
      }),
    })
    const verify = vi.fn(({ password }: { password: string }) => {
      throw new Error(`no such user with ${password}`)
    })
    const server = serve({ onError: error => void logged.push(error) })
    server.tool('stock', credentials({ message: 'Sign in.', schema: throwing, verify }), {}, () => 'in')
    const client = connect(server, {
      async answer(ask) {
        const visitor = new Visitor()
        const url = ask.kind === 'url' ? ask.url : ''
        for (const typed of [wrong, right]) {
          const page = await visitor.submit(url, typed)
          expect(page).toMatchObject({ status: 503, title: 'Sign in' })
          expect(page.text).not.toMatch(/battery|horse|common|such user/)
        }
        return 'decline'
      },
    })
    await client.callTool('stock')
    expect(verify).toHaveBeenCalledTimes(1)
    expect(logged).toEqual([])
  })

  it('that leave something out are not checked, and the person is told what', async () => {
    const verify = vi.fn(() => null)
    const server = serve()
    server.tool('stock', login({ verify }), {}, () => 'in')
    const client = connect(server, {
      answer: async ask => {
        const visitor = new Visitor()
        const url = ask.kind === 'url' ? ask.url : ''
        const page = await visitor.submit(url, { 'field-username': 'ada' })
        expect(page.status).toBe(422)
        expect(page.text).toMatch(/<span class="problem" id="field-password-problem">An answer is required\./)
        expect(page.text).toMatch(/type="password" autocomplete="current-password"[^>]*aria-invalid="true"/)
        return 'decline'
      },
    })
    await client.callTool('stock')
    expect(verify).not.toHaveBeenCalled()
  })

  it('whose fields do not go together are not checked, and the person is told why', async () => {
    const verify = vi.fn(() => null)
    const both = schema.refine(({ username, password }) => username !== password, 'The password is your name.')
    const server = serve()
    server.tool('stock', credentials({ message: 'Sign in.', schema: both, verify }), {}, () => 'in')
    const client = connect(server, {
      async answer(ask) {
        const url = ask.kind === 'url' ? ask.url : ''
        const page = await new Visitor().submit(url, { 'field-username': 'ada', 'field-password': 'ada' })
        expect(page.status).toBe(422)
        expect(page.text).toContain('<p class="warning" role="alert">The password is your name.</p>')
        return 'decline'
      },
    })
    await client.callTool('stock')
    expect(verify).not.toHaveBeenCalled()
  })

  it('are a form that password managers fill', async () => {
    const server = serve()
    const fields = z.object({
      email: z.email().describe('The address that you work with'),
      password: z.string(),
      code: z.string().meta({ title: 'One-time code' }).optional(),
      region: z.enum(['eu', 'us']).default('eu'),
      stay: z.boolean().default(false),
    })
    server.tool(
      'stock',
      credentials({ message: 'Sign in.', schema: fields, verify: values => values }),
      {},
      async (_input, ctx) => ctx.json(await ctx.session.get('credentials')),
    )
    const client = connect(
      server,
      opening('push', async url => {
        const visitor = new Visitor()
        const page = await visitor.get(url)
        expect(page.text).toMatch(/name="field-email" type="email" autocomplete="username"/)
        expect(page.text).toMatch(/name="field-password" type="password" autocomplete="current-password"/)
        expect(page.text).toMatch(/name="field-code" type="text" inputmode="numeric" autocomplete="one-time-code"/)
        const sent = {
          'field-email': 'ada@example.com',
          'field-password': 'p',
          'field-region': 'us',
          'field-stay': 'on',
        }
        await visitor.submit(url, sent, page)
      }),
    )
    expect(JSON.parse(textOf(await client.callTool('stock')))).toEqual({
      email: 'ada@example.com',
      password: 'p',
      region: 'us',
      stay: true,
    })
  })
})

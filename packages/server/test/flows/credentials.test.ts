import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { memoryStore, type Store } from '../../src/store/index.js'
import { FakeClock } from '../fake-clock.js'
import { connect, serve, textOf } from './opened.js'
import { Visitor } from './visitor.js'
import { opening, urlWires } from './wires.js'

const schema = z.object({ username: z.string().min(1), password: z.string().min(1) })
const right = { 'field-username': 'ada', 'field-password': 'correct horse' }
const wrong = { 'field-username': 'ada', 'field-password': 'battery staple' }

function login(options: Partial<Parameters<typeof credentials<typeof schema>>[0]> = {}) {
  return credentials({
    message: 'Sign in to the warehouse.',
    schema,
    verify: ({ username, password }) => (password === 'correct horse' ? { id: username } : null),
    ...options,
  })
}

/** A store that keeps everything that was ever written to it. */
function recording(): { store: Store; written: () => string } {
  const own = memoryStore()
  const seen: unknown[] = []
  const noting =
    <A extends unknown[], R>(write: (...args: A) => R) =>
    (...args: A): R => {
      seen.push(args)
      return write(...args)
    }
  const store: Store = {
    ...own,
    set: noting(own.set),
    compareAndSet: noting(own.compareAndSet),
    append: noting(own.append),
    publish: noting(own.publish),
  }
  return { store, written: () => JSON.stringify(seen) }
}

describe.each(urlWires)('credentials on %s', wire => {
  it('are typed on our page, checked once, and hold for the session', async () => {
    const verify = vi.fn(({ username }: { username: string }) => ({ id: username }))
    const { store, written } = recording()
    const server = serve({ store })
    server.tool('stock', login({ verify }), { task: 'optional' }, async (_input, ctx) =>
      ctx.json(await ctx.session.get('credentials')),
    )
    const client = connect(server, {
      ...opening(wire, async url => {
        const page = await new Visitor().submit(url, right)
        expect(page).toMatchObject({ status: 200, title: 'Done' })
      }),
      principal: 'alice',
    })
    expect(textOf(await client.callTool('stock'))).toBe('{"id":"ada"}')
    expect(textOf(await client.callTool('stock'))).toBe('{"id":"ada"}')
    expect(client.asked).toHaveLength(1)
    expect(verify.mock.calls).toEqual([
      [{ username: 'ada', password: 'correct horse' }, expect.objectContaining({ principal: undefined })],
    ])
    const everywhere = `${written()} ${JSON.stringify(client.messages)}`
    expect(everywhere).not.toContain('correct horse')
  })

  it('that are wrong can be tried again, and the password is not shown again', async () => {
    const server = serve()
    server.tool('stock', login(), { task: 'optional' }, () => 'in')
    const client = connect(
      server,
      opening(wire, async url => {
        const visitor = new Visitor()
        const again = await visitor.submit(url, wrong)
        expect(again).toMatchObject({ status: 401, title: 'Sign in' })
        expect(again.text).toContain('You can try 4 more times.')
        expect(again.text).toContain('value="ada"')
        expect(again.text).not.toContain('battery staple')
        expect(await visitor.submit(url, right, again)).toMatchObject({ title: 'Done' })
      }),
    )
    expect(textOf(await client.callTool('stock'))).toBe('in')
  })

  it('end the call when there were too many', async () => {
    const verify = vi.fn(() => null)
    const server = serve()
    let ran = false
    server.tool('stock', login({ verify, attempts: 2 }), { task: 'optional' }, () => {
      ran = true
      return 'in'
    })
    const titles: string[] = []
    const client = connect(
      server,
      opening(wire, async url => {
        const visitor = new Visitor()
        for (let attempt = 0; attempt < 4; attempt++) titles.push((await visitor.submit(url, wrong)).title)
      }),
    )
    expect(await client.callTool('stock')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('too many attempts') }],
    })
    expect(titles).toEqual(['Sign in', 'That did not work', 'That did not work', 'That did not work'])
    expect([ran, verify.mock.calls.length]).toEqual([false, 2])
  })
})

describe('credentials', () => {
  it('count attempts for the caller, not for the link', async () => {
    const clock = new FakeClock()
    const verify = vi.fn(() => null)
    const server = serve({ clock })
    server.tool('stock', login({ verify, attempts: 3 }), {}, () => 'in')
    const client = connect(server, {
      ...opening('push', async url => {
        const visitor = new Visitor()
        for (let attempt = 0; attempt < 3; attempt++) await visitor.submit(url, wrong)
      }),
      principal: 'mallory',
    })
    await client.callTool('stock')
    await client.callTool('stock')
    expect(verify).toHaveBeenCalledTimes(3)
    clock.advance(15 * 60_000)
    await client.callTool('stock')
    expect(verify).toHaveBeenCalledTimes(6)
  })

  it('sent twice at once are checked at most as often as there are attempts', async () => {
    const verify = vi.fn(async () => null)
    const server = serve()
    server.tool('stock', login({ verify, attempts: 2 }), {}, () => 'in')
    const client = connect(
      server,
      opening('push', async url => {
        const visitor = new Visitor()
        const page = await visitor.get(url)
        await Promise.all(Array.from({ length: 8 }, () => visitor.submit(url, wrong, page)))
      }),
    )
    await client.callTool('stock')
    expect(verify).toHaveBeenCalledTimes(2)
  })

  it('typed in two tabs at once count once, and both tabs say so', async () => {
    const server = serve()
    let runs = 0
    server.tool('stock', login(), {}, () => {
      runs++
      return 'in'
    })
    const titles: string[] = []
    const client = connect(
      server,
      opening('push', async url => {
        const visitor = new Visitor()
        const page = await visitor.get(url)
        const tabs = await Promise.all([visitor.submit(url, right, page), visitor.submit(url, right, page)])
        titles.push(...tabs.map(({ title }) => title).sort())
      }),
    )
    expect(textOf(await client.callTool('stock'))).toBe('in')
    expect([runs, titles]).toEqual([1, ['Done', 'This is already done']])
  })

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
        expect(page.text).toMatch(/<span class="problem" id="field-password-problem">This is required\./)
        expect(page.text).toMatch(/type="password" autocomplete="current-password"[^>]*aria-invalid="true"/)
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

  it('of a client without URL mode come by a link in the result, and the next call goes on', async () => {
    const server = serve()
    server.tool('stock', login(), {}, () => 'in')
    const client = connect(server, { wire: 'push', capabilities: { elicitation: { form: {} } }, answer: [] })
    const first = textOf(await client.callTool('stock'))
    const [link = ''] = /http:\S+/.exec(first) ?? []
    expect(await new Visitor().submit(link, right)).toMatchObject({ title: 'Done' })
    expect(textOf(await client.callTool('stock'))).toBe('in')
    expect(textOf(await client.callTool('stock'))).toBe('in')
  })

  it('of two kinds on one server need names, and do not count for each other', async () => {
    const server = serve()
    server.tool('stock', login(), {}, () => 'stock')
    expect(() => server.tool('pay', login(), {}, () => 'pay')).toThrow("credentials({ name: '...' })")
    server.tool('pay', login({ name: 'bank' }), {}, () => 'pay')
    const client = connect(server, { ...opening('push', url => new Visitor().submit(url, right)), principal: 'alice' })
    await client.callTool('stock')
    expect(textOf(await client.callTool('pay'))).toBe('pay')
    expect(client.asked).toHaveLength(2)
  })

  it('whose call was declined meanwhile grant nothing', async () => {
    const verify = vi.fn(() => ({ id: 'ada' }))
    const server = serve()
    server.tool('stock', login({ verify }), {}, () => 'in')
    let link = ''
    const visitor = new Visitor()
    const client = connect(server, {
      principal: 'alice',
      answer: async ask => {
        link = ask.kind === 'url' ? ask.url : ''
        await visitor.get(link)
        return 'decline'
      },
    })
    await client.callTool('stock')
    expect(await visitor.post(link, right)).toMatchObject({ status: 410 })
    expect(verify).not.toHaveBeenCalled()
    expect(await client.callTool('stock')).toMatchObject({ isError: true })
  })

  it('expire with a clear result, and a page that says so', async () => {
    const clock = new FakeClock()
    const server = serve({ clock })
    server.tool('stock', login({ timeoutMs: 60_000 }), {}, () => 'in')
    let link = ''
    const client = connect(server, {
      wire: 'push',
      answer: ask => {
        link = ask.kind === 'url' ? ask.url : ''
        setImmediate(() => clock.advance(60_000))
        return 'accept'
      },
    })
    expect(await client.callTool('stock')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('did not finish in time') }],
    })
    expect(await new Visitor().submit(link, right)).toMatchObject({ title: 'This link has expired' })
  })

  it('stand before prompts and resources as well', async () => {
    const server = serve()
    const flow = login()
    server.prompt('p', flow, {}, () => 'hello').resource('notes://all', flow, {}, () => 'notes')
    const client = connect(server, {
      ...opening('rounds', url => new Visitor().submit(url, right)),
      principal: 'alice',
    })
    expect(await client.getPrompt('p')).toMatchObject({ messages: [{ content: { text: 'hello' } }] })
    expect(await client.readResource('notes://all')).toMatchObject({ contents: [{ text: 'notes' }] })
    expect(client.asked).toHaveLength(1)
  })
})

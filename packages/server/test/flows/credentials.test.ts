import { describe, expect, it, vi } from 'vitest'
import { memoryStore, type Store } from '../../src/store/index.js'
import { FakeClock } from '../fake-clock.js'
import { login, right, wrong } from './login.js'
import { connect, serve, textOf } from './opened.js'
import { type Visited, Visitor } from './visitor.js'
import { opening, urlWires } from './wires.js'

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

describe.each(urlWires)('credentials that nobody types, on %s', wire => {
  it('end with a clear result, and the page says so to who comes late', async () => {
    const clock = new FakeClock()
    const verify = vi.fn(() => ({ id: 'ada' }))
    const server = serve({ clock })
    let ran = false
    server.tool('stock', login({ verify, timeoutMs: 60_000 }), { task: 'optional' }, () => {
      ran = true
      return 'in'
    })
    const visitor = new Visitor()
    let page: Visited | undefined
    let link = ''
    const client = connect(server, {
      wire,
      replay: 'when-needed',
      async answer(ask) {
        link = ask.kind === 'url' ? ask.url : ''
        page = await visitor.get(link)
        // The tab is closed, and the ask is open when its time is over.
        clock.advance(60_000)
        return 'accept'
      },
    })
    const time = setInterval(() => clock.advance(1_000))
    const said = await client.callTool('stock').then(textOf, String)
    clearInterval(time)
    // In rounds it is the state that has expired.
    expect(said).toMatch(/did not finish in time|has expired/)
    expect(await visitor.submit(link, right, page)).toMatchObject({ status: 410, title: 'This link has expired' })
    expect(verify).not.toHaveBeenCalled()
    expect(ran).toBe(false)
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

  it('are kept where the author says, and give the person as much time as they say', async () => {
    const clock = new FakeClock()
    const server = serve({ clock })
    server.tool('stock', login({ sessionKey: 'member', timeout: 1_000 }), {}, async (_input, ctx) =>
      ctx.json([await ctx.session.get('member'), (await ctx.session.get('credentials')) ?? null]),
    )
    let wait = 1_000
    const pages: string[] = []
    const client = connect(server, {
      principal: 'alice',
      async answer(ask) {
        clock.advance(wait)
        pages.push((await new Visitor().submit(ask.kind === 'url' ? ask.url : '', right)).title)
        return wait === 0 ? 'accept' : 'decline'
      },
    })
    await client.callTool('stock').catch(() => {})
    wait = 0
    expect(textOf(await client.callTool('stock'))).toBe('[{"id":"ada"},null]')
    expect(pages).toEqual(['This link has expired', 'Done'])
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

import { describe, expect, it } from 'vitest'
import { urlAction } from '../../src/middleware/url-action/url-action.js'
import { memoryStore } from '../../src/store/index.js'
import { FakeClock } from '../fake-clock.js'
import { modernCall } from './modern-call.js'
import { connect, identify, serve, textOf } from './opened.js'
import { leadsTo, Visitor } from './visitor.js'
import { opening, urlWires } from './wires.js'

const publicUrl = 'https://shop.example/app'
const target = 'https://sign.example/start?a=1&b=2'

/** A server that knows people apart, with a flow of Alice's that is open. */
async function aliceIsAsked(options: Parameters<typeof serve>[0] = {}) {
  const server = serve({ publicUrl, identify, ...options })
  server.tool('publish', urlAction({ message: 'Sign <b>first</b> & "soon".', url: target }), {}, () => 'published')
  let link = ''
  let asked = () => {}
  const isAsked = new Promise<void>(resolve => {
    asked = resolve
  })
  const client = connect(server, {
    principal: 'alice',
    answer: ask => {
      link = ask.kind === 'url' ? ask.url : ''
      asked()
      return 'accept'
    },
  })
  const result = client.callTool('publish').catch(() => undefined)
  await isAsked
  const as = (user: string) => new Visitor(server, user === '' ? {} : { 'x-user': user })
  return { server, link, result, as }
}

describe('the page that a link leads to', () => {
  it('is under the public address, and names the host that it goes on to', async () => {
    const { link, as } = await aliceIsAsked()
    expect(link).toMatch(/^https:\/\/shop\.example\/app\/beckon\/go\/[\w-]{22}$/)
    const page = await as('alice').get(link)
    expect(page).toMatchObject({ status: 200, title: 'Continue to another site?' })
    expect(page.text).toContain('sign.example')
    expect(page.text).toContain('Sign &lt;b&gt;first&lt;/b&gt; &amp; &quot;soon&quot;.')
    // Where it goes exactly is for who goes on.
    expect(page.text).not.toContain(target)
  })

  it('has headers that let nothing in, keep nothing and tell nothing', async () => {
    const { link, as } = await aliceIsAsked()
    const { headers, text } = await as('alice').get(link)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    )
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('set-cookie')).toMatch(/^__Host-beckon=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    expect(text).not.toMatch(/<script|javascript:|\son\w+=/i)
  })

  it('goes on when its button is pressed, and not before', async () => {
    const { link, as } = await aliceIsAsked()
    const alice = as('alice')
    const page = await alice.get(link)
    expect(leadsTo(page.text)).toBeUndefined()
    const left = await alice.submit(link, {}, page)
    expect(leadsTo(left.text)).toBe(target)
    expect(left.text).toContain('href="https://sign.example/start?a=1&amp;b=2" rel="noreferrer"')
  })

  it('has an answer for HEAD, and nothing for anything else below it', async () => {
    const { server, link } = await aliceIsAsked()
    const head = await server.fetch(new Request(link, { method: 'HEAD', headers: { 'x-user': 'alice' } }))
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await server.fetch(new Request(`${publicUrl}/beckon/go/none`))).status).toBe(404)
    // What is no page is for the endpoint, wherever it is mounted: that takes no browser.
    for (const path of ['/beckon/other/x', '/beckon/go/', '/beckon/url-action/x'])
      expect((await server.fetch(new Request(`${publicUrl}${path}`))).status).toBe(406)
    expect((await server.fetch(new Request(link, { method: 'DELETE' }))).status).toBe(405)
  })

  it('says when it is already done, when it has expired, and when it never was', async () => {
    const clock = new FakeClock()
    const { server, link, as } = await aliceIsAsked({ clock })
    expect(await as('alice').get(`${link}x`)).toMatchObject({ status: 404, title: 'This link is not valid' })
    clock.advance(5 * 60_000)
    expect(await as('alice').get(link)).toMatchObject({ status: 410, title: 'This link has expired' })
    expect(await as('alice').post(link, {})).toMatchObject({ status: 410, title: 'This link has expired' })
    const again = await aliceIsAsked()
    const left = await again.as('alice').submit(again.link)
    expect(leadsTo(left.text)).toBe(target)
    expect(server).not.toBe(again.server)
  })

  it('asks who is there to sign in, in the way of the server', async () => {
    const { link, as } = await aliceIsAsked()
    expect(await as('').get(link)).toMatchObject({ status: 401, title: 'Sign in first' })
    const redirecting = await aliceIsAsked({
      identify(request) {
        if (request.headers.get('x-user') === null)
          throw new Response(null, { status: 302, headers: { location: '/login' } })
        return identify(request)
      },
    })
    const sent = await redirecting.as('').get(redirecting.link)
    expect([sent.status, sent.headers.get('location')]).toEqual([302, '/login'])
  })

  it('says so when something went wrong here', async () => {
    const store = memoryStore()
    let isDown = false
    const broken = {
      ...store,
      get: (key: string) => (isDown ? Promise.reject(new Error('secret host')) : store.get(key)),
    }
    const { link, as, server } = await aliceIsAsked({ store: broken })
    isDown = true
    const page = await as('alice').get(link)
    isDown = false
    expect([page.status, page.text]).toEqual([500, expect.stringContaining('Try again in a moment.')])
    expect(page.text).not.toContain('secret host')
    const huge = 'x'.repeat(70_000)
    expect((await server.fetch(new Request(link, { method: 'POST', body: huge }))).status).toBe(413)
  })

  it('can be branded, in colours that can be read', async () => {
    const brand = { name: 'Ada & Sons', logoUrl: 'https://cdn.example/logo.svg', accent: '#ffe100' }
    const { link, as } = await aliceIsAsked({ brand })
    const { text, headers } = await as('alice').get(link)
    expect(text).toContain('<img src="https://cdn.example/logo.svg" alt=""><bdi>Ada &amp; Sons</bdi>')
    expect(text).toContain('--accent: #ffe100; --on-accent: #000000;')
    expect(headers.get('content-security-policy')).toContain('img-src https://cdn.example;')
    expect(() => serve({ brand: { accent: 'red' } })).toThrow('brand.accent')
    expect(() => serve({ brand: { logoUrl: 'javascript:alert(1)' } })).toThrow('brand.logoUrl')
  })
})

describe('where links lead', () => {
  it.each(urlWires)('a plain URL stays as it is where people cannot be told apart, on %s', async wire => {
    const server = serve()
    server.tool('t', { task: 'optional' }, async (_input, ctx) => ctx.json(await ctx.elicit.url('Open', target)))
    const client = connect(server, { wire, principal: 'alice', answer: ['accept'] })
    await client.callTool('t')
    expect(client.asked).toMatchObject([{ url: target }])
  })

  it.each(urlWires)('and is a page of ours where they can, until it is completed, on %s', async wire => {
    const server = serve({ publicUrl, identify })
    server.tool('t', { task: 'optional' }, async (_input, ctx) =>
      ctx.json(await ctx.elicit.url('Pay', target, { waitForCompletion: true, elicitationId: 'payment 1' })),
    )
    const alice = new Visitor(server, { 'x-user': 'alice' })
    let link = ''
    const client = connect(server, {
      ...opening(wire, async url => {
        link = url
        expect(leadsTo((await alice.submit(url)).text)).toBe(target)
        await server.completeElicitation('payment 1')
      }),
      principal: 'alice',
    })
    expect(textOf(await client.callTool('t'))).toBe('{"action":"accept"}')
    expect(link).not.toContain('payment')
    expect(await alice.get(link)).toMatchObject({ status: 410, title: 'This is already done' })
  })

  it('a server that does not know its address says so, and sends nobody anywhere', async () => {
    const server = serve({ identify })
    server.tool('t', {}, async (_input, ctx) => ctx.json(await ctx.elicit.url('Pay', target)))
    const body = await (await server.fetch(modernCall('t', { headers: { 'x-user': 'alice' } }))).json()
    expect(JSON.stringify(body)).toContain('publicUrl')
  })

  it('any process serves the page, and any goes on with the call', async () => {
    const store = { ...memoryStore(), shared: true }
    const nodes = [1, 2].map(() => {
      const server = serve({
        store: { ...store, close: async () => {} },
        keys: 'one key for both nodes',
        publicUrl,
        identify,
      })
      server.tool(
        'publish',
        urlAction({ message: 'Sign.', url: ids => `${target}&id=${ids.elicitationId}` }),
        {},
        () => 'published',
      )
      return server
    })
    const [one, other] = nodes
    if (one === undefined || other === undefined) throw new Error('There are two.')
    const client = connect(one, {
      ...opening('rounds', async url => {
        const left = await new Visitor(other, { 'x-user': 'alice' }).submit(url)
        await other.completeElicitation(new URL(leadsTo(left.text) ?? '').searchParams.get('id') ?? '')
      }),
      principal: 'alice',
    })
    expect(textOf(await client.callTool('publish'))).toBe('published')
  })
})

describe('a server that cannot tell people apart', () => {
  const flow = urlAction({ message: 'Sign.', url: target })

  it('has no such flows under a public address', () => {
    const server = serve({ publicUrl })
    expect(() => server.tool('publish', flow, {}, () => 'published')).toThrow('identify')
    expect(() => server.use(flow)).toThrow('identify')
  })

  it('does not listen with such flows where others can reach it', async () => {
    const server = serve()
    server.tool('publish', flow, {}, () => 'published')
    await expect(server.listen({ host: '0.0.0.0', port: 0 })).rejects.toThrow('identify')
  })

  it('has them on this machine, at the address where it listens', async () => {
    const server = serve()
    server.tool('publish', flow, {}, () => 'published')
    const { url } = await server.listen({ port: 0 })
    const client = connect(server, { answer: ['decline'] })
    await client.callTool('publish')
    expect(client.asked).toMatchObject([{ url: expect.stringContaining(new URL(url).origin) }])
  })

  it('opens a listener for the pages of a local client, for this machine alone, and nothing but pages', async () => {
    const server = serve()
    server.tool('publish', flow, {}, () => 'published')
    let link = ''
    const client = connect(server, {
      answer: ask => {
        link = ask.kind === 'url' ? ask.url : ''
        return 'decline'
      },
    })
    await client.callTool('publish')
    const { origin, port } = new URL(link)
    expect(origin).toBe(`http://127.0.0.1:${port}`)
    expect((await fetch(`${origin}/mcp`, { method: 'POST', body: '{}' })).status).toBe(404)
    await server.close()
    await expect(fetch(link)).rejects.toThrow()
  })

  it('gives a flow to the first browser that goes on with it', async () => {
    const server = serve()
    server.tool('publish', flow, {}, () => 'published')
    const [one, other] = [new Visitor(), new Visitor()]
    let pages: string[] = []
    const client = connect(server, {
      answer: async ask => {
        const url = ask.kind === 'url' ? ask.url : ''
        const before = await other.get(url)
        await one.submit(url)
        pages = [before, await other.get(url), await other.submit(url, {}, before), await one.get(url)].map(
          ({ title }) => title,
        )
        return 'decline'
      },
    })
    await client.callTool('publish')
    expect(pages).toEqual([
      'Continue to another site?',
      'This link is not yours',
      'This link is not yours',
      'Continue to another site?',
    ])
  })
})

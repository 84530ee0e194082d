import { describe, expect, it } from 'vitest'
import type { BeckonServer } from '../../src/index.js'
import { urlAction } from '../../src/middleware/url-action/url-action.js'
import { FakeClock } from '../fake-clock.js'
import { modernCall } from './modern-call.js'
import { connect, serve, textOf } from './opened.js'
import { leadsTo, Visitor } from './visitor.js'
import { opening, urlWires } from './wires.js'

/** Goes where the page leads, and does there what its callback reports. */
async function sign(server: BeckonServer, url: string, visitor = new Visitor()): Promise<string> {
  const left = await visitor.submit(url)
  const target = new URL(leadsTo(left.text) ?? '')
  const [sessionId = '', elicitationId = ''] = target.searchParams.get('state')?.split(':') ?? []
  server.session(sessionId).set('signed', true)
  await server.completeElicitation(elicitationId)
  return target.host
}

const signing = {
  message: 'Sign the contract first.',
  url: ({ sessionId, elicitationId }: { sessionId: string; elicitationId: string }) =>
    `https://sign.example/start?state=${sessionId}:${elicitationId}`,
}

describe.each(urlWires)('urlAction on %s', wire => {
  it('sends the person to our page, waits for the callback, and goes on', async () => {
    const server = serve()
    server.tool('publish', urlAction(signing), { task: 'optional' }, async (_input, ctx) =>
      ctx.text(`published ${await ctx.session.get('signed')}`),
    )
    let host = ''
    const client = connect(
      server,
      opening(wire, async url => {
        host = await sign(server, url)
      }),
    )
    expect(textOf(await client.callTool('publish'))).toBe('published true')
    expect(host).toBe('sign.example')
    expect(client.asked).toMatchObject([
      {
        kind: 'url',
        message: 'Sign the contract first.',
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/beckon\/go\/[\w-]+$/),
      },
    ])
  })

  it('is skipped when it was done before', async () => {
    const server = serve()
    const done = async (ctx: { session: { get(key: string): Promise<unknown> } }) =>
      (await ctx.session.get('signed')) === true
    server.tool('publish', urlAction({ ...signing, done }), { task: 'optional' }, () => 'published')
    const client = connect(server, { ...opening(wire, url => sign(server, url)), principal: 'alice' })
    expect(textOf(await client.callTool('publish'))).toBe('published')
    expect(textOf(await client.callTool('publish'))).toBe('published')
    expect(client.asked).toHaveLength(1)
  })

  it('does not go on when the callback came and nothing was done', async () => {
    const server = serve()
    let ran = false
    server.tool('publish', urlAction({ ...signing, done: () => false }), { task: 'optional' }, () => {
      ran = true
      return 'published'
    })
    const client = connect(
      server,
      opening(wire, url => sign(server, url)),
    )
    expect(await client.callTool('publish')).toMatchObject({ isError: true })
    expect(ran).toBe(false)
  })

  it.each(['decline', 'cancel'] as const)('tells the model of a %s, and the link is dead', async action => {
    const server = serve()
    server.tool('publish', urlAction(signing), { task: 'optional' }, () => 'published')
    let link = ''
    const client = connect(server, {
      wire,
      answer: ask => {
        link = ask.kind === 'url' ? ask.url : ''
        return action
      },
    })
    const result = await client.callTool('publish')
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Nothing was done.') }] })
    expect(await new Visitor().get(link)).toMatchObject({ status: 410 })
  })

  it.each([
    ['throws', () => Promise.reject(new Error('The provider is down.')), 'The provider is down.'],
    ['gives javascript:', () => 'javascript:alert(1)', 'Only web addresses (https) can be opened.'],
    ['gives plain http', () => 'http://sign.example/', 'not encrypted'],
    ['gives no address', () => 'sign here', 'not a complete web address'],
  ])('sends nobody anywhere when buildUrl %s', async (_what, buildUrl, reason) => {
    const server = serve()
    let ran = false
    server.tool('publish', urlAction({ message: 'Sign.', buildUrl }), { task: 'optional' }, () => {
      ran = true
      return 'published'
    })
    const client = connect(server, { wire, answer: [] })
    const result = await client.callTool('publish')
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(reason) }] })
    expect([ran, client.asked]).toEqual([false, []])
  })
})

describe('urlAction', () => {
  it.each(['timeoutMs', 'timeout'])('gives the person as much time as %s says, and needs an address', async name => {
    const clock = new FakeClock()
    const server = serve({ clock })
    server.tool('publish', urlAction({ ...signing, [name]: 1_000 }), {}, () => 'published')
    const pages: string[] = []
    const client = connect(server, {
      async answer(ask) {
        for (const ms of [999, 1]) {
          clock.advance(ms)
          pages.push((await new Visitor().get(ask.kind === 'url' ? ask.url : '')).title)
        }
        return 'decline'
      },
    })
    await client.callTool('publish').catch(() => {})
    expect(pages).toEqual(['Continue to another site?', 'This link has expired'])
    expect(() => urlAction({ message: 'Go.' })).toThrow('needs a url')
  })
})

describe('urlAction for a client without URL mode', () => {
  const capabilities = { elicitation: { form: {} } }

  it.each(urlWires)('gives the model the link, and the same call made again goes on, on %s', async wire => {
    const server = serve()
    server.tool('publish', urlAction(signing), { task: 'optional' }, async (_input, ctx) =>
      ctx.text((await ctx.confirm('Sure?')) ? 'published' : 'kept'),
    )
    const client = connect(server, { wire, capabilities, principal: 'alice', answer: [true] })
    const first = textOf(await client.callTool('publish', {}, { allowUnconfirmed: true }))
    const [link = ''] = /http:\/\/127\.0\.0\.1:\d+\/beckon\/go\/[\w-]+/.exec(first) ?? []
    expect(link).not.toBe('')
    expect(textOf(await client.callTool('publish'))).toContain(link)
    await sign(server, link)
    expect(textOf(await client.callTool('publish'))).toBe('published')
    // What was done is used up.
    expect(textOf(await client.callTool('publish'))).not.toContain(link)
  })

  it('refuses where nobody could call again as the same', async () => {
    const server = serve({ publicUrl: 'http://localhost:3000' })
    server.tool('publish', urlAction(signing), {}, () => 'published')
    const response = await server.fetch(modernCall('publish', { elicitation: {} }))
    expect(await response.json()).toMatchObject({ error: { code: -32021 } })
  })
})

describe('urlAction with urlError', () => {
  it('ends the call with -32042 and our link, tells when it is done, and then goes on', async () => {
    const server = serve()
    server.tool('publish', urlAction(signing), { urlError: true }, () => 'published')
    const client = connect(server, { wire: 'push', answer: [] })
    const refused = await client.callTool('publish').catch((error: { code: number; data: Listed }) => error)
    expect(refused).toMatchObject({ code: -32042, data: { elicitations: [{ mode: 'url', message: signing.message }] } })
    const [{ url, elicitationId } = { url: '', elicitationId: '' }] = (refused as { data: Listed }).data.elicitations
    await sign(server, url)
    expect(textOf(await client.callTool('publish'))).toBe('published')
    expect(client.messages).toContainEqual(
      expect.objectContaining({
        message: expect.objectContaining({ method: 'notifications/elicitation/complete', params: { elicitationId } }),
      }),
    )
  })
})

interface Listed {
  elicitations: { url: string; elicitationId: string }[]
}

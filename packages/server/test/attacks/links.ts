import { createHmac } from 'node:crypto'
import { urlAction } from '../../src/middleware/url-action/url-action.js'
import { FakeClock } from '../fake-clock.js'
import { connect, serve, textOf } from '../flows/opened.js'
import { hiddenFields, leadsTo, type Visited, Visitor } from '../flows/visitor.js'
import { type Family, onEveryWire, seen, whileAliceIsAsked } from './attack.js'

const target = 'https://pay.example/start'
const gate = urlAction({ message: 'Pay first.', url: target })

/** A page that leads on would be what the attacker is after. */
function nowhere(page: Visited): string {
  if (leadsTo(page.text) !== undefined || page.text.includes('pay.example')) throw new Error('The page leads on.')
  return seen(page)
}

export const links: Family = {
  family: 'A link',
  attacks: [
    {
      attack: 'Bob opens the link that Alice was sent (the attack in the specification)',
      run: () =>
        onEveryWire(wire => whileAliceIsAsked(gate, async ({ link, bob }) => nowhere(await bob.get(link)), { wire })),
    },
    {
      attack: 'Bob sends the form of Alice’s page, with a token of his own',
      run: () =>
        whileAliceIsAsked(gate, async ({ link, alice, bob }) => {
          const page = await alice.get(link)
          return nowhere(await bob.post(link, hiddenFields(page.text)))
        }),
    },
    {
      attack: 'someone who is not signed in opens it',
      run: () => whileAliceIsAsked(gate, async ({ link, server }) => nowhere(await new Visitor(server).get(link))),
    },
    {
      attack: 'the id in the link is altered',
      run: () =>
        whileAliceIsAsked(gate, async ({ link, alice }) => {
          const last = link.endsWith('A') ? 'B' : 'A'
          return nowhere(await alice.get(link.slice(0, -1) + last))
        }),
    },
    {
      attack: 'Bob accepts for Alice where she was asked, and nobody goes to the page',
      run: () =>
        onEveryWire(async wire => {
          const clock = new FakeClock()
          const time = setInterval(() => clock.advance(1_000))
          await whileAliceIsAsked(gate, async () => '', { wire, clock, answer: 'accept' })
          clearInterval(time)
          return 'the call waits for who was asked, and ends when its time is over'
        }),
    },
    {
      attack: 'the link is made to lead elsewhere (?url=https://evil.example)',
      run: () =>
        whileAliceIsAsked(gate, async ({ link, alice }) => {
          const evil = `${link}?url=https://evil.example&next=https://evil.example`
          const left = await alice.submit(evil, { url: 'https://evil.example' })
          if (left.text.includes('evil.example')) throw new Error('It led to the attacker.')
          return `it leads to ${new URL(leadsTo(left.text) ?? '').host}, as the author said`
        }),
    },
    {
      attack: 'an author gives two calls the same `elicitationId`: Alice pays, and Bob’s is delivered',
      async run() {
        const server = serve()
        server.tool('buy', {}, async (_input, ctx) => {
          await ctx.elicit.url('Pay.', target, { elicitationId: 'order', waitForCompletion: true })
          return `delivered to ${ctx.principal}`
        })
        const buyer = (principal: string) =>
          connect(server, { principal, wire: 'push', answer: () => 'accept' })
            .callTool('buy')
            .then(textOf, String)
        const alice = buyer('alice')
        await new Promise(resolve => setTimeout(resolve, 20))
        const bob = buyer('bob')
        await new Promise(resolve => setTimeout(resolve, 20))
        await server.completeElicitation('order')
        if ((await alice) !== 'delivered to alice') throw new Error(await alice)
        const got = await Promise.race([bob, new Promise<string>(resolve => setTimeout(resolve, 200, 'nothing'))])
        if (got.startsWith('delivered')) throw new Error(got)
        return got
      },
    },
    {
      attack: 'the link is opened after its time',
      run: () => {
        const clock = new FakeClock()
        return whileAliceIsAsked(
          gate,
          async ({ link, alice }) => {
            const page = await alice.get(link)
            clock.jump(5 * 60_000)
            return nowhere(await alice.submit(link, {}, page))
          },
          { clock },
        )
      },
    },
    {
      attack: 'the link is used again after the person declined',
      async run() {
        let kept: { link: string; alice: Visitor } | undefined
        await whileAliceIsAsked(gate, async scene => {
          kept = scene
          return ''
        })
        return kept === undefined ? '' : nowhere(await kept.alice.get(kept.link))
      },
    },
    {
      attack: 'another site posts the form in Alice’s browser (CSRF), without the token',
      run: () =>
        whileAliceIsAsked(gate, async ({ link, alice }) => {
          await alice.get(link)
          return nowhere(await alice.post(link, {}, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }))
        }),
    },
    {
      attack: 'the same with a token that was read elsewhere',
      run: () =>
        whileAliceIsAsked(gate, async ({ link, alice }) => {
          const page = await alice.get(link)
          const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
          return nowhere(await alice.post(link, hiddenFields(page.text), headers))
        }),
    },
    {
      attack: 'the same from a browser that sends no Sec-Fetch-Site',
      run: () =>
        whileAliceIsAsked(gate, async ({ link, server }) => {
          const old = new Visitor(server, { 'x-user': 'alice', origin: 'https://evil.example' })
          const page = await old.get(link)
          const response = await server.fetch(
            new Request(link, {
              method: 'POST',
              headers: {
                'x-user': 'alice',
                origin: 'https://evil.example',
                'content-type': 'application/x-www-form-urlencoded',
                cookie: Array.from(old.cookies, pair => pair.join('=')).join('; '),
              },
              body: new URLSearchParams(hiddenFields(page.text)).toString(),
            }),
          )
          if (response.status !== 403) throw new Error('It counted.')
          return `${response.status}, nothing done`
        }),
    },
    {
      attack: 'a site beside ours gives Alice’s browser a cookie of its own, and posts the token that goes with it',
      run: () =>
        whileAliceIsAsked(gate, async ({ link, alice }) => {
          const secret = 'c'.repeat(32)
          const token = createHmac('sha256', secret)
            .update(link.split('/').at(-1) ?? '')
            .digest('base64url')
          alice.cookies.set('__Host-beckon', secret)
          return nowhere(await alice.post(link, { beckon: token }, { 'sec-fetch-site': 'same-site' }))
        }),
    },
    {
      attack: 'a request that says it is for another host (Host: evil.example)',
      run: () =>
        whileAliceIsAsked(gate, async ({ link, server }) => {
          const evil = link.replace('shop.example', 'evil.example')
          const { status } = await server.fetch(new Request(evil, { headers: { 'x-user': 'alice' } }))
          if (status !== 403) throw new Error('It was served.')
          return `${status}, nothing served; links are made from publicUrl alone`
        }),
    },
    {
      attack: 'markup in the message and in the name of the brand',
      run: () =>
        whileAliceIsAsked(
          urlAction({ message: '<script>alert(1)</script><img src=x onerror=alert(1)>', url: target }),
          async ({ link, alice }) => {
            const { text, headers } = await alice.get(link)
            if (/<script|<img/.test(text)) throw new Error('It is markup.')
            return `shown as text; ${headers.get('content-security-policy')?.split(';')[0]}`
          },
          { brand: { name: '"><script>alert(1)</script>' } },
        ),
    },
    {
      attack: 'a page of ours is kept by a cache, or tells another site where the person came from',
      run: () =>
        whileAliceIsAsked(gate, async ({ link, alice, bob, server }) => {
          const page = await alice.get(link)
          const pages = [page, await alice.submit(link, {}, page), await alice.post(link, {}), await bob.get(link)]
          pages.push(await alice.get(`${link}x`), await new Visitor(server).get(link))
          const kept = pages.filter(({ headers }) => headers.get('cache-control') !== 'no-store')
          const telling = pages.filter(({ headers }) => headers.get('referrer-policy') !== 'no-referrer')
          if (kept.length + telling.length > 0) throw new Error('Some are.')
          return `none of ${pages.length} pages: no-store, no-referrer`
        }),
    },
    {
      attack: 'line breaks and header names in the message, the brand and the address',
      run: () =>
        whileAliceIsAsked(
          urlAction({ message: 'Pay\r\nSet-Cookie: a=b', url: `${target}?a=%0d%0aSet-Cookie:%20a=b` }),
          async ({ link, alice }) => {
            const page = await alice.get(link)
            const left = await alice.submit(`${link}?x=%0d%0aSet-Cookie:a=b`, {}, page)
            if ([page, left].some(({ headers }) => /a=b/.test(JSON.stringify([...headers])))) throw new Error('It is.')
            return 'no header has any of it'
          },
          { brand: { name: 'Shop\r\nSet-Cookie: a=b' } },
        ),
    },
    {
      attack: 'the page in a frame of another site (clickjacking)',
      run: () =>
        whileAliceIsAsked(gate, async ({ link, alice }) => {
          const { headers } = await alice.get(link)
          return `${headers.get('content-security-policy')?.match(/frame-ancestors [^;]+/)?.[0]}; X-Frame-Options: ${headers.get('x-frame-options')}`
        }),
    },
    {
      attack: 'a second browser on a machine where nobody is identified',
      async run() {
        const server = serve()
        server.tool('gated', gate, {}, () => 'passed')
        let got = ''
        const client = connect(server, {
          answer: async ask => {
            const url = ask.kind === 'url' ? ask.url : ''
            await new Visitor().submit(url)
            got = nowhere(await new Visitor().get(url))
            return 'decline'
          },
        })
        await client.callTool('gated')
        return got
      },
    },
    {
      attack: 'such a machine reached from elsewhere',
      async run() {
        const server = serve()
        server.tool('gated', gate, {}, () => 'passed')
        const refused = await server.listen({ host: '0.0.0.0', port: 0 }).then(
          () => undefined,
          (error: Error) => error.message,
        )
        if (refused === undefined) throw new Error('It listens.')
        return 'the server does not start, and says what to do'
      },
    },
    {
      attack: 'buildUrl gives javascript:',
      async run() {
        const server = serve()
        server.tool('gated', urlAction({ message: 'Go.', buildUrl: () => 'javascript:alert(1)' }), {}, () => 'passed')
        const client = connect(server, { answer: [] })
        const { isError } = await client.callTool('gated')
        if (isError !== true || client.asked.length > 0) throw new Error('Somebody was asked.')
        return 'nobody is asked; the model reads why'
      },
    },
  ],
}

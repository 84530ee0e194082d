import { expect } from 'vitest'
import { payment, stripe } from '../../src/middleware/payment/index.js'
import { FakeClock } from '../fake-clock.js'
import { textOf } from '../flows/opened.js'
import { type LittleStripe, littleStripe, notice, secretKey, webhookSecret } from '../payment/little-stripe.js'
import { buyer, shop } from '../payment/shop.js'
import { type Family, onEveryWire, type Scene, type SceneWire, seen, whileAliceIsAsked } from './attack.js'

interface PaymentScene extends Scene {
  readonly provider: LittleStripe
  /** The checkout that Alice was sent to. */
  readonly checkout: Parameters<typeof notice>[1] & { readonly id: string }
  /** Sends a notice to the webhook, and says how that was answered. */
  readonly send: (notice: Request) => Promise<string>
}

/** Alice went on from our page, and is at the page to pay at. The attack must get her call for nothing. */
async function whileAlicePays(
  attack: (scene: PaymentScene) => Promise<string>,
  options: { answer?: 'accept'; wire?: SceneWire } = {},
): Promise<string> {
  const provider = await littleStripe()
  const price = { amount: 1250, currency: 'EUR', description: 'A report' }
  const gate = payment({ price, ...stripe({ secretKey, webhookSecret, apiUrl: provider.url }) })
  return whileAliceIsAsked(
    gate,
    async scene => {
      await scene.alice.submit(scene.link)
      const [checkout] = provider.checkouts.values()
      if (checkout === undefined) throw new Error('There is no checkout.')
      const send = async (request: Request) => {
        const response = await scene.server.fetch(request)
        return `${response.status} ${await response.text()}`.trim()
      }
      return attack({ ...scene, provider, checkout, send })
    },
    options,
  )
}

const completed = 'checkout.session.completed'
const paid = { payment_status: 'paid', status: 'complete' } as const

export const payments: Family = {
  family: '`payment`',
  attacks: [
    {
      attack: 'Alice has Bob pay for her call: he opens her link',
      run: () => onEveryWire(wire => whileAlicePays(async ({ link, bob }) => seen(await bob.get(link)), { wire })),
    },
    {
      attack: 'the person goes to the address for after the payment, without having paid',
      run: () =>
        whileAlicePays(async ({ alice, link }) =>
          seen(await alice.get(link.replace('/beckon/go/', '/beckon/payment/return/'))),
        ),
    },
    {
      attack: 'another site has Alice’s browser turn away from her payment',
      run: () =>
        whileAlicePays(async ({ alice, link }) => {
          // Its address has an id that nobody can guess; and what is not loaded as a page has no cookie.
          const guess = await alice.get(link.replace(/beckon\/go\/.+/, `beckon/payment/cancel/${'A'.repeat(22)}`))
          alice.cookies.clear()
          const image = await alice.get(link.replace('/beckon/go/', '/beckon/payment/cancel/'))
          return `${seen(guess)} and ${seen(image)}`
        }),
    },
    {
      attack: 'Bob goes to the address for after Alice’s payment, or turns away for her',
      run: () =>
        whileAlicePays(async ({ bob, link }) => {
          const visit = (what: string) => bob.get(link.replace('/beckon/go/', `/beckon/payment/${what}/`))
          return `${seen(await visit('return'))} and ${seen(await visit('cancel'))}`
        }),
    },
    {
      attack: 'a notice that the provider did not sign, or signed for someone else',
      run: () =>
        whileAlicePays(async ({ send, checkout }) => {
          const foreign = notice(completed, { ...checkout, ...paid }, { secret: 'whsec_of-somebody-else' })
          const unsigned = new Request(foreign.url, { method: 'POST', body: await foreign.clone().text() })
          return `${await send(unsigned)} and ${await send(foreign)}`
        }),
    },
    {
      attack: 'a signed notice whose body was changed on the way',
      run: () =>
        whileAlicePays(async ({ send, checkout }) => {
          const unpaid = notice(completed, checkout)
          const body = (await unpaid.clone().text()).replace('"unpaid"', '"paid"')
          return send(new Request(unpaid.url, { method: 'POST', headers: unpaid.headers, body }))
        }),
    },
    {
      attack: 'a signed notice of an hour ago, sent again',
      run: () =>
        whileAlicePays(({ send, checkout }) =>
          send(notice(completed, { ...checkout, ...paid }, { at: Date.now() - 3_600_000 })),
        ),
    },
    {
      attack: 'a payment of one cent, that the provider confirms',
      run: () =>
        whileAlicePays(
          ({ send, checkout, provider }) => send(notice(completed, provider.pay(checkout.id, { amount_total: 1 }))),
          { answer: 'accept' },
        ),
    },
    {
      attack: 'a payment whose amount is a text, a fraction, a list or nothing',
      async run() {
        const said = new Set<string>()
        for (const amount of ['1250', 1250.5, [1250], null])
          said.add(
            await whileAlicePays(
              ({ send, checkout }) => send(notice(completed, { ...checkout, ...paid, amount_total: amount as number })),
              { answer: 'accept' },
            ),
          )
        return [...said].join(' or ')
      },
    },
    {
      attack: 'a payment of the right number in another currency',
      run: () =>
        whileAlicePays(
          ({ send, checkout, provider }) => send(notice(completed, provider.pay(checkout.id, { currency: 'jpy' }))),
          { answer: 'accept' },
        ),
    },
    {
      attack: 'Alice pays the first of seven calls for the same thing, and after that the others',
      async run() {
        const store = await shop()
        const client = buyer(store, async () => {}, { wire: 'push' })
        const calls = Array.from({ length: 7 }, () => client.callTool('print').then(textOf))
        const open = () => [...store.provider.checkouts.values()].filter(({ status }) => status === 'open')
        let [wasOpen, asked] = [0, 0]
        for (let paid = 1; paid <= 7; paid++) {
          asked += 8 - paid
          while (client.asked.length < asked) await new Promise(resolve => setImmediate(resolve))
          wasOpen = Math.max(wasOpen, open().length)
          const [first] = open()
          await store.post(notice(completed, store.provider.pay(first?.id ?? '')))
          while (store.runs() < paid) await new Promise(resolve => setImmediate(resolve))
        }
        const got = await Promise.all(calls)
        if (new Set(got).size !== 7 || store.provider.checkouts.size !== 7) throw new Error(got.join())
        return `each payment has one call go on: paid 7 times, done 7 times, ${wasOpen} checkout open at a time`
      },
    },
    {
      attack: 'seven calls are given up, and the first page that Alice was sent to is paid after that',
      async run() {
        const clock = new FakeClock()
        const store = await shop({ server: { clock } })
        for (let i = 0; i < 7; i++) {
          const gone = buyer(store, async () => void clock.advance(5 * 60_000), { wire: 'push' })
          await gone.callTool('print')
        }
        const [first] = store.provider.checkouts.keys()
        await store.post(notice(completed, store.provider.pay(first ?? ''), { at: clock.now() }))
        const client = buyer(store, async () => expect.fail('She was asked to pay again.'))
        const got = textOf(await client.callTool('print'))
        if (got !== `printed ${first}`) throw new Error(got)
        return 'the next call goes on with it, and asks for nothing'
      },
    },
    {
      attack: 'two pages to pay at, hours apart, from a provider that cannot be asked: Alice pays the first',
      async run() {
        const clock = new FakeClock()
        const store = await shop({ server: { clock }, verifies: false })
        for (let i = 0; i < 2; i++) {
          await buyer(store, async () => void clock.advance(5 * 60_000), { wire: 'push' }).callTool('print')
          clock.advance(2 * 60 * 60_000)
        }
        const [first, second] = store.provider.checkouts.keys()
        if (second === undefined) throw new Error('There is one page.')
        await store.post(notice(completed, store.provider.pay(first ?? ''), { at: clock.now() }))
        const client = buyer(store, async () => expect.fail('She was asked to pay again.'))
        const got = textOf(await client.callTool('print'))
        if (got !== `printed ${first}`) throw new Error(got)
        return 'the next call goes on with it: the first is not forgotten for the second'
      },
    },
    {
      attack: 'a payment for something else, under its own reference',
      run: () =>
        whileAlicePays(({ send, checkout }) =>
          send(notice(completed, { ...checkout, ...paid, id: 'cs_of-another-shop' })),
        ),
    },
  ],
}

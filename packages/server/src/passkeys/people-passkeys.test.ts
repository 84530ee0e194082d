import { describe, expect, it } from 'vitest'
import { TestAuthenticator } from '../../../../test/authenticator.mjs'
import { memoryStore } from '../store/index.js'
import { createTestClock } from '../test/test-clock.js'
import { PeoplePasskeys } from './people-passkeys.js'
import { relyingPartyAt } from './relying-party.js'

const origin = 'https://shop.example.com'
const pay = (amount: number) => ({ kind: 'ask', about: { ask: 'call.ask-1', answer: { amount } } }) as const

function setUp() {
  const clock = createTestClock(1_700_000_000_000)
  const relyingParty = () => relyingPartyAt(origin, 'Shop', {})
  const store = memoryStore({ clock })
  const node = () => new PeoplePasskeys({ store, clock, relyingParty })
  return { clock, passkeys: node(), node }
}

/** Someone with a passkey. */
async function enrolled(passkeys: PeoplePasskeys, principal = 'ana') {
  const device = new TestAuthenticator(origin)
  const options = await passkeys.enrolOptions(principal)
  if (options === undefined) throw new Error('No options.')
  expect(await passkeys.enrol(principal, { create: device.create(options.create) })).toMatchObject({ isVerified: true })
  return device
}

/** The options for an ask, which somebody with a passkey gets. */
async function asked(passkeys: PeoplePasskeys, principal: string, purpose: Parameters<PeoplePasskeys['ask']>[1]) {
  const options = await passkeys.ask(principal, purpose)
  if (options === undefined) throw new Error('No options.')
  return options
}

describe('a passkey', () => {
  it('confirms what it was asked for, for the person whose it is', async () => {
    const { passkeys } = setUp()
    const device = await enrolled(passkeys)
    const options = await asked(passkeys, 'ana', pay(5))
    expect(options).toMatchObject({ userVerification: 'required', rpId: 'shop.example.com' })
    expect(await passkeys.verify('ana', pay(5), device.get(options))).toEqual({
      isVerified: true,
      credential: device.id,
    })
    expect(await passkeys.list('ana')).toMatchObject([{ id: device.id, usedAt: 1_700_000_000_000 }])
  })

  it('confirms nothing twice', async () => {
    const { passkeys } = setUp()
    const device = await enrolled(passkeys)
    const response = device.get(await asked(passkeys, 'ana', pay(5)))
    expect(await passkeys.verify('ana', pay(5), response)).toMatchObject({ isVerified: true })
    expect(await passkeys.verify('ana', pay(5), response)).toMatchObject({ isVerified: false, why: 'challenge' })
  })

  it('confirms nothing twice on two nodes, one after the other or at once', async () => {
    const { passkeys, node } = setUp()
    const device = await enrolled(passkeys)
    const nodes = [passkeys, node(), node()]
    const first = device.get(await asked(passkeys, 'ana', pay(5)))
    // Any node takes it, since any may be the one that the browser comes back to.
    expect(await nodes[1]?.verify('ana', pay(5), first)).toMatchObject({ isVerified: true })
    expect(await nodes[2]?.verify('ana', pay(5), first)).toMatchObject({ isVerified: false, why: 'challenge' })
    const second = device.get(await asked(passkeys, 'ana', pay(5)))
    const all = await Promise.all(nodes.map(each => each.verify('ana', pay(5), second)))
    expect(all.filter(({ isVerified }) => isVerified)).toHaveLength(1)
  })

  it('counts once when it is sent twice at the same time', async () => {
    const { passkeys } = setUp()
    const device = await enrolled(passkeys)
    const response = device.get(await asked(passkeys, 'ana', pay(5)))
    const both = await Promise.all([1, 2, 3].map(() => passkeys.verify('ana', pay(5), response)))
    expect(both.filter(({ isVerified }) => isVerified)).toHaveLength(1)
  })

  it('confirms no changed amount, no other ask and nothing of another kind', async () => {
    const { passkeys } = setUp()
    const device = await enrolled(passkeys)
    const others = [
      pay(500),
      { kind: 'ask', about: { ...pay(5).about, ask: 'call.ask-2' } },
      { kind: 'remove', about: pay(5).about },
    ] as const
    for (const other of others) {
      const response = device.get(await asked(passkeys, 'ana', pay(5)))
      expect(await passkeys.verify('ana', other, response)).toMatchObject({ isVerified: false, why: 'challenge' })
      // And it is used up with that.
      expect(await passkeys.verify('ana', pay(5), response)).toMatchObject({ isVerified: false, why: 'challenge' })
    }
  })

  it('confirms nothing for somebody else, with or without a passkey of their own', async () => {
    const { passkeys } = setUp()
    const [ana] = [await enrolled(passkeys), await enrolled(passkeys, 'ben')]
    const forBen = await asked(passkeys, 'ben', pay(5))
    expect(await passkeys.verify('ben', pay(5), ana.get(forBen))).toMatchObject({ isVerified: false, why: 'unknown' })
    const forAna = await asked(passkeys, 'ana', pay(5))
    expect(await passkeys.verify('ben', pay(5), ana.get(forAna))).toMatchObject({ isVerified: false, why: 'unknown' })
    expect(await passkeys.verify('cem', pay(5), ana.get(forAna))).toMatchObject({ isVerified: false, why: 'none' })
    expect(await passkeys.ask('cem', pay(5))).toBeUndefined()
  })

  it.each([
    ['from another origin', { origin: 'https://shop.example.net' }],
    ['from a page below ours', { origin: 'https://evil.shop.example.com' }],
    ['for another site', { rpId: 'example.net' }],
    ['without user verification', { isVerified: false }],
  ])('does not count %s', async (_, quirks) => {
    const { passkeys } = setUp()
    const device = await enrolled(passkeys)
    const options = await asked(passkeys, 'ana', pay(5))
    expect(await passkeys.verify('ana', pay(5), device.get(options, quirks))).toMatchObject({
      isVerified: false,
      why: 'invalid',
    })
    const create = await passkeys.enrolOptions('ben')
    const other = new TestAuthenticator(origin)
    expect(
      await passkeys.enrol('ben', { create: other.create(create?.create ?? { challenge: '', rp: {} }, quirks) }),
    ).toMatchObject({ isVerified: false, why: 'invalid' })
  })

  it('does not count when it counts back or stands still: somebody has a copy', async () => {
    const { passkeys } = setUp()
    const device = await enrolled(passkeys)
    const confirm = async (counter: number) => {
      const response = device.get(await asked(passkeys, 'ana', pay(5)), { counter })
      return passkeys.verify('ana', pay(5), response)
    }
    expect(await confirm(7)).toMatchObject({ isVerified: true })
    for (const counter of [7, 3, 0]) expect(await confirm(counter)).toMatchObject({ isVerified: false, why: 'cloned' })
    expect(await confirm(8)).toMatchObject({ isVerified: true })
  })

  it('is of no use once its challenge is too old, or was never given', async () => {
    const { passkeys, clock } = setUp()
    const device = await enrolled(passkeys)
    const response = device.get(await asked(passkeys, 'ana', pay(5)))
    await clock.advance(5 * 60 * 1000)
    expect(await passkeys.verify('ana', pay(5), response)).toMatchObject({ isVerified: false, why: 'challenge' })
    const made = device.get({ challenge: 'bm90aGluZw', rpId: 'shop.example.com' })
    expect(await passkeys.verify('ana', pay(5), made)).toMatchObject({ isVerified: false, why: 'challenge' })
  })

  it('is none when it is nothing that a browser sends', async () => {
    const { passkeys } = setUp()
    const device = await enrolled(passkeys)
    const response = device.get(await asked(passkeys, 'ana', pay(5)))
    const long = { ...response, clientExtensionResults: 'x'.repeat(100_000) }
    const odd = { id: device.id, response: { clientDataJSON: 'e30', authenticatorData: '', signature: '' } }
    for (const given of [undefined, null, 'text', 7, {}, { id: 1 }, long, odd])
      expect(await passkeys.verify('ana', pay(5), given)).toMatchObject({ isVerified: false, why: 'invalid' })
  })

  it('leaves nobody more than a few challenges', async () => {
    const { passkeys } = setUp()
    const device = await enrolled(passkeys)
    const first = device.get(await asked(passkeys, 'ana', pay(5)))
    for (let count = 0; count < 10; count++) await asked(passkeys, 'ana', pay(5))
    expect(await passkeys.verify('ana', pay(5), first)).toMatchObject({ isVerified: false, why: 'challenge' })
  })
})

describe('a person', () => {
  it('has several devices, and adds one with one that they have', async () => {
    const { passkeys } = setUp()
    const [first, second] = [await enrolled(passkeys), new TestAuthenticator(origin)]
    const options = await passkeys.enrolOptions('ana')
    if (options?.get === undefined) throw new Error('No options.')
    const create = second.create(options.create)
    const get = first.get(options.get)
    expect(await passkeys.enrol('ana', { create, get, name: 'Phone' })).toMatchObject({ isVerified: true })
    expect((await passkeys.list('ana')).map(({ name }) => name)).toEqual(['Passkey', 'Phone'])
    const asks = await asked(passkeys, 'ana', pay(1))
    expect(await passkeys.verify('ana', pay(1), second.get(asks))).toMatchObject({ isVerified: true })
  })

  it('adds and removes none with a session alone, once they have one', async () => {
    const { passkeys } = setUp()
    const [first, thief] = [await enrolled(passkeys), new TestAuthenticator(origin)]
    const options = await passkeys.enrolOptions('ana')
    if (options?.get === undefined) throw new Error('No options.')
    const create = thief.create(options.create)
    expect(await passkeys.enrol('ana', { create })).toMatchObject({ isVerified: false, why: 'invalid' })
    const again = await passkeys.enrolOptions('ana')
    if (again?.get === undefined) throw new Error('No options.')
    expect(
      await passkeys.enrol('ana', { create: thief.create(again.create), get: thief.get(again.get) }),
    ).toMatchObject({ isVerified: false, why: 'unknown' })
    expect(await passkeys.remove('ana', first.id, thief.get(again.get))).toMatchObject({ isVerified: false })
    expect(await passkeys.list('ana')).toHaveLength(1)
  })

  it('is the first with one session only, when two begin at once', async () => {
    const { passkeys } = setUp()
    const [one, two] = [new TestAuthenticator(origin), new TestAuthenticator(origin)]
    const [first, second] = [await passkeys.enrolOptions('ana'), await passkeys.enrolOptions('ana')]
    if (first === undefined || second === undefined) throw new Error('No options.')
    const both = await Promise.all([
      passkeys.enrol('ana', { create: one.create(first.create) }),
      passkeys.enrol('ana', { create: two.create(second.create) }),
    ])
    expect(both.filter(({ isVerified }) => isVerified)).toHaveLength(1)
    expect(await passkeys.list('ana')).toHaveLength(1)
  })

  it('removes one with any that they have, and is helped by an admin who removes all', async () => {
    const { passkeys } = setUp()
    const device = await enrolled(passkeys)
    const options = await passkeys.removeOptions('ana', device.id)
    if (options === undefined) throw new Error('No options.')
    const response = device.get(options)
    expect(await passkeys.remove('ana', 'another', response)).toMatchObject({ isVerified: false, why: 'challenge' })
    const again = await passkeys.removeOptions('ana', device.id)
    expect(await passkeys.remove('ana', device.id, device.get(again ?? options))).toMatchObject({ isVerified: true })
    expect(await passkeys.list('ana')).toEqual([])
    await enrolled(passkeys)
    expect(await passkeys.removeAll('ana')).toBe(1)
    expect(await passkeys.removeAll('ana')).toBe(0)
    await enrolled(passkeys)
  })
})

describe('a relying party', () => {
  it('is the host of an address, or a name above it, and nothing that browsers refuse', () => {
    expect(relyingPartyAt(`${origin}/desk/`, 'Shop', {})).toMatchObject({ id: 'shop.example.com', origins: [origin] })
    expect(relyingPartyAt(origin, 'Shop', { rpId: 'example.com' })).toMatchObject({ id: 'example.com' })
    expect(relyingPartyAt('http://localhost:3000', 'Shop', {})).toMatchObject({ id: 'localhost' })
    const bad = ['http://127.0.0.1:80', 'http://[::1]:80', 'https://192.0.2.1', 'http://shop.example.com']
    for (const address of bad) expect(() => relyingPartyAt(address, 'Shop', {})).toThrow(TypeError)
    for (const rpId of ['example.net', 'le.com', 'a.shop.example.com'])
      expect(() => relyingPartyAt(origin, 'Shop', { rpId })).toThrow('rpId')
  })
})

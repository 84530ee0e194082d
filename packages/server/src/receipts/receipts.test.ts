import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../store/index.js'
import { createTestClock } from '../test/test-clock.js'
import { type Receipted, receiptOf } from './receipt.js'
import { ReceiptKeys } from './receipt-keys.js'
import { verifyReceipt } from './verify-receipt.js'

const dayMs = 24 * 60 * 60 * 1000

const answered: Receipted = {
  iss: 'https://shop.example.com',
  at: 1_700_000_000_500,
  jti: 'call.ask-1',
  server: 'shop',
  tool: 'pay',
  arguments: { to: 'ana', amount: 5 },
  shown: { message: 'Pay 5 to ana?' },
  answer: {},
  action: 'accept',
  by: [{ principal: 'ben', method: 'passkey' }],
  where: 'page',
}
const receipt = receiptOf(answered)

async function setUp() {
  const clock = createTestClock(1_700_000_000_000)
  const store = memoryStore({ clock })
  const keys = new ReceiptKeys({ store, clock })
  await keys.ready()
  return { clock, store, keys }
}

/** The parts of a signed text, the second of them as JSON. */
function changed(jws: string, change: (fields: Record<string, unknown>) => object): string {
  const [header, payload = '', signature] = jws.split('.')
  const fields = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  return [header, Buffer.from(JSON.stringify(change(fields))).toString('base64url'), signature].join('.')
}

describe('a receipt', () => {
  it('is checked with the published keys, and says what was signed', async () => {
    const { keys } = await setUp()
    expect(await verifyReceipt(keys.sign(answered), await keys.jwks())).toMatchObject({ isValid: true, receipt })
    expect(receipt).toMatchObject({ iat: 1_700_000_000, by: [{ principal: 'ben', method: 'passkey' }] })
  })

  it.each(Object.keys(receipt))('is refused when its %s was changed', async field => {
    const { keys } = await setUp()
    const forged = changed(keys.sign(answered), fields => ({ ...fields, [field]: field === 'iat' ? 1 : 'else' }))
    expect(await verifyReceipt(forged, await keys.jwks())).toMatchObject({ isValid: false, why: 'forged' })
  })

  it('is refused when somebody else signed it, under a key id of their own or of ours', async () => {
    const { keys } = await setUp()
    const other = new ReceiptKeys({ store: memoryStore(), clock: createTestClock(0) })
    await other.ready()
    expect(await verifyReceipt(other.sign(answered), await keys.jwks())).toMatchObject({ why: 'unknown-key' })
    const [kid] = (await keys.jwks()).keys.map(key => key.kid)
    const [, payload, signature] = other.sign(answered).split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'beckon-receipt+jwt', kid })).toString('base64url')
    expect(await verifyReceipt([header, payload, signature].join('.'), await keys.jwks())).toMatchObject({
      why: 'forged',
    })
  })

  it('is refused without a signature, with another algorithm, and when it is something else that was signed', async () => {
    const { keys } = await setUp()
    const jwks = await keys.jwks()
    const [, payload] = keys.sign(answered).split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'beckon-receipt+jwt' })).toString('base64url')
    const sloppy: Receipted = JSON.parse(JSON.stringify({ ...answered, by: [{ principal: 'ben', method: 'wish' }] }))
    for (const jws of [`${none}.${payload}.`, 'nothing', '', 'a.b.c', 'x'.repeat(200_000), keys.sign(sloppy)])
      expect(await verifyReceipt(jws, jwks)).toMatchObject({ isValid: false, why: 'malformed' })
    const rsa = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey)
    expect(await verifyReceipt(keys.sign(answered), { keys: [rsa] })).toMatchObject({ why: 'unknown-key' })
  })
})

describe('the keys that sign receipts', () => {
  it('are the same in every process that has the store', async () => {
    const { keys, store, clock } = await setUp()
    const other = new ReceiptKeys({ store, clock })
    await other.ready()
    expect(await verifyReceipt(other.sign(answered), await keys.jwks())).toMatchObject({ isValid: true })
  })

  it('change every three months; the new one is published a day before it signs, the old one for good', async () => {
    const { keys, store, clock } = await setUp()
    const first = keys.sign(answered)
    const kidOf = (jws: string) => JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()).kid
    await clock.advance(91 * dayMs)
    await keys.ready()
    expect((await keys.jwks()).keys).toHaveLength(2)
    expect(kidOf(keys.sign(answered))).toBe(kidOf(first))
    await clock.advance(dayMs + 1)
    await keys.ready()
    expect(kidOf(keys.sign(answered))).not.toBe(kidOf(first))
    for (let month = 0; month < 12; month++) {
      await clock.advance(31 * dayMs)
      await keys.ready()
    }
    const jwks = await keys.jwks()
    expect(jwks.keys.length).toBeGreaterThan(4)
    for (const jws of [first, keys.sign(answered)])
      expect(await verifyReceipt(jws, jwks)).toMatchObject({ isValid: true })
    // Of those that sign no more, nothing is left that could.
    const stored = JSON.stringify((await store.get('receipt-keys'))?.value)
    expect(stored.match(/"d":"/g)?.length).toBeLessThanOrEqual(3)
  })

  it('never leave in the published list', async () => {
    const { keys } = await setUp()
    for (const key of (await keys.jwks()).keys) expect(Object.keys(key)).not.toContain('d')
  })

  it('are still good while the store is away, once they were read', async () => {
    const { clock, store } = await setUp()
    let isAway = false
    const moody = new Proxy(store, {
      get: (target, name, receiver) =>
        isAway && name === 'get' ? () => Promise.reject(new Error('away')) : Reflect.get(target, name, receiver),
    })
    const keys = new ReceiptKeys({ store: moody, clock })
    await keys.ready()
    isAway = true
    await clock.advance(dayMs)
    await keys.ready()
    expect(keys.sign(answered)).toMatch(/^ey/)
    await expect(new ReceiptKeys({ store: moody, clock }).ready()).rejects.toThrow('away')
  })
})

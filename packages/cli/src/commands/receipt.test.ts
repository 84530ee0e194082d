import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStore } from 'beckon'
import { ReceiptKeys } from 'beckon/receipts'
import { createTestClock } from 'beckon/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBeckon } from '../../test/beckon.js'
import { runHere } from '../../test/run-here.js'

const patient = 60_000
const folder = mkdtempSync(join(tmpdir(), 'beckon-receipt-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const clock = createTestClock(1_700_000_000_000)
const keys = new ReceiptKeys({ store: memoryStore({ clock }), clock })
let jws = ''
let jwks = ''

beforeAll(async () => {
  await keys.ready()
  jws = keys.sign({
    iss: 'https://shop.example.com',
    at: clock.now(),
    jti: 'call.ask-1',
    server: 'shop',
    tool: 'pay \u001b[2J',
    arguments: { to: 'ben', amount: 5 },
    shown: { message: 'Pay 5 to ben?' },
    answer: {},
    action: 'accept',
    by: [{ principal: 'ana', method: 'passkey' }],
    where: 'page',
  })
  jwks = file('jwks.json', await keys.jwks())
})

describe('beckon receipt verify', { timeout: patient }, () => {
  it('checks a receipt with a file of keys, and shows it', async () => {
    const { code, stdout } = await runBeckon(['receipt', 'verify', file('receipt.jws', `${jws}\n`), '--jwks', jwks])
    expect(stdout).toMatch(/^Good: signed by https:\/\/shop\.example\.com, with the key /)
    expect(stdout).toMatch(/by +ana, with a passkey/)
    expect(stdout).toMatch(/when +2023-11-14T22:13:20\.000Z/)
    // Whoever signed it chose the words, and they command no terminal.
    expect(stdout).not.toContain('\u001b')
    expect(code).toBe(0)
  })

  it('finds those of a tool result, and says whether the words are the ones that were signed', async () => {
    const result = file('result.json', { content: [], _meta: { 'beckon/receipts': [jws] } })
    const given = [
      '--jwks',
      jwks,
      '--shown',
      file('shown.json', { message: 'Pay 5 to ben?' }),
      '--answer',
      file('answer.json', {}),
    ]
    const same = await runHere([
      'receipt',
      'verify',
      result,
      ...given,
      '--arguments',
      file('args.json', { amount: 5, to: 'ben' }),
    ])
    expect(same.stdout).toMatch(/arguments +\S+, as in /)
    expect(same.code).toBe(0)
    const changed = await runHere([
      'receipt',
      'verify',
      result,
      ...given,
      '--arguments',
      file('more.json', { amount: 500, to: 'ben' }),
    ])
    expect(changed.stdout).toMatch(/^NOT GOOD/)
    expect(changed.stdout).toMatch(/arguments +\S+, and NOT as in /)
    expect(changed.code).toBe(1)
  })

  it('says no to a changed field, and to keys that did not sign it', async () => {
    const [header, payload = '', signature] = jws.split('.')
    const fields = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = [
      header,
      Buffer.from(JSON.stringify({ ...fields, action: 'decline' })).toString('base64url'),
      signature,
    ].join('.')
    const changed = await runHere(['receipt', 'verify', file('forged.jws', forged), '--jwks', jwks])
    expect(changed.stdout).toMatch(/^NOT GOOD\. The signature does not fit/)
    expect(changed.code).toBe(1)
    const others = new ReceiptKeys({ store: memoryStore(), clock })
    await others.ready()
    const unknown = await runHere([
      'receipt',
      'verify',
      file('receipt.jws', jws),
      '--jwks',
      file('others.json', await others.jwks()),
    ])
    expect(unknown.stdout).toMatch(/^NOT GOOD\. None of these keys signed it/)
    expect(unknown.code).toBe(1)
  })

  it('says what is wrong with what it was given', async () => {
    const good = file('receipt.jws', jws)
    for (const args of [
      ['verify'],
      ['look', good],
      ['verify', join(folder, 'nowhere')],
      ['verify', file('empty', ''), '--jwks', jwks],
      ['verify', good, '--jwks', file('no-keys.json', '{}')],
      ['verify', good, '--jwks', 'http://example.com/jwks.json'],
      ['verify', file('nonsense', 'nonsense')],
    ])
      expect(await runHere(['receipt', ...args])).toMatchObject({ code: 2, stdout: '' })
    const away = await runHere(['receipt', 'verify', good, '--jwks', 'http://127.0.0.1:9/jwks.json'])
    expect(away).toMatchObject({ code: 4, stdout: '' })
  })
})

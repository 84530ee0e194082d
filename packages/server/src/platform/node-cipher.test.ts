import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/any-character.js'
import * as node from './node-cipher.js'
import * as web from './web.js'

const secret = new Uint8Array(32).fill(7)
const head = Buffer.from('head')
const text = fc.string({ unit: anyCharacter, maxLength: 3_000 })

describe.each([
  ['Node', node],
  ['the web', web],
])('the cipher of %s', (_, { cipherOf }) => {
  it('is AES-256-CTR with HMAC-SHA-256 behind it, as OpenSSL has them', () => {
    const cipher = cipherOf(secret)
    fc.assert(
      fc.property(text, message => {
        const sealed = Buffer.from(cipher.seal(head, message), 'base64url')
        expect(read(sealed)).toBe(message)
        expect(cipher.open(sealed, head.length)).toBe(message)
      }),
    )
  })

  it('seals what is longer than any key stream that is kept', () => {
    const cipher = cipherOf(secret)
    for (const length of [0, 1, 16, 32 * 1024, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 300_000]) {
      const message = 'é'.repeat(length)
      expect(read(Buffer.from(cipher.seal(head, message), 'base64url')) === message).toBe(true)
    }
  })

  it('takes no block of a key stream twice', () => {
    const cipher = cipherOf(secret)
    const other = cipherOf(secret)
    const taken = new Set<string>()
    const lengths = fc.sample(fc.integer({ min: 1, max: 2_000 }), { numRuns: 300, seed: 1 })
    for (const [index, length] of lengths.entries()) {
      const sealed = Buffer.from((index % 3 ? cipher : other).seal(head, 'x'.repeat(length)), 'base64url')
      const nonce = sealed.toString('hex', 4, 16)
      const first = sealed.readUInt32BE(16)
      for (let block = 0; block < Math.ceil(length / 16); block++) {
        const name = `${nonce} ${first + block}`
        expect(taken.has(name)).toBe(false)
        taken.add(name)
      }
    }
  })

  it('opens nothing that was changed, cut, or sealed by another key', () => {
    const cipher = cipherOf(secret)
    const sealed = Buffer.from(cipher.seal(head, 'removed: 5'), 'base64url')
    for (const at of sealed.keys())
      for (const bit of [1, 128]) {
        const changed = sealed.map((byte, index) => (index === at ? byte ^ bit : byte))
        expect(() => cipher.open(changed, head.length)).toThrow('It was changed, or sealed by another key.')
        expect(() => cipher.open(sealed.subarray(0, at), head.length)).toThrow(/too short|was changed/)
      }
    expect(() => cipherOf(new Uint8Array(32)).open(sealed, head.length)).toThrow('It was changed')
    expect(cipher.open(sealed, head.length)).toBe('removed: 5')
  })
})

/** Opens what a cipher sealed, by nothing but what Node has for each part of it. */
function read(sealed: Buffer): string {
  const keyFor = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
  const end = sealed.length - 16
  const tag = createHmac('sha256', keyFor('authenticate')).update(sealed.subarray(0, end)).digest().subarray(0, 16)
  expect(sealed.subarray(end).equals(tag)).toBe(true)
  expect(sealed.toString('latin1', 0, 4)).toBe('head')
  const decipher = createDecipheriv('aes-256-ctr', keyFor('encrypt'), sealed.subarray(4, 20))
  return Buffer.concat([decipher.update(sealed.subarray(20, end)), decipher.final()]).toString()
}

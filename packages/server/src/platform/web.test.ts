import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/any-character.js'
import * as node from './node.js'
import * as web from './web.js'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const text = fc.string({ unit: anyCharacter, maxLength: 200 })

describe('without node:crypto', () => {
  it('has everything that there is with it', () => {
    expect(Object.keys(web).sort()).toEqual(Object.keys(node).sort())
  })

  it('hashes, signs and derives keys to the same', () => {
    fc.assert(
      fc.property(text, text, fc.uint8Array({ maxLength: 100 }), (one, other, raw) => {
        expect(web.sha256(one)).toBe(node.sha256(one))
        expect(web.sha256(raw, 'base64')).toBe(node.sha256(raw, 'base64'))
        expect(web.hmac(one, other)).toBe(node.hmac(one, other))
        expect(web.deriveKey(raw, one)).toEqual(node.deriveKey(raw, one))
      }),
    )
  })

  it('writes base64 and reads base64url as Node does', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.uint8Array({ maxLength: 50 })), data => {
        expect(web.base64(data)).toBe(node.base64(data))
        expect(web.base64url(data)).toBe(node.base64url(data))
        expect([...web.fromBase64url(web.base64url(data))]).toEqual([...node.fromBase64url(node.base64url(data))])
      }),
    )
    expect(web.fromBase64url('no base64 at all!')).toEqual(new Uint8Array())
  })

  it('opens what a server on Node sealed, and the other way round', () => {
    fc.assert(
      fc.property(bytes(32), bytes(4), text, (key, head, message) => {
        const [one, other] = [web.cipherOf(key), node.cipherOf(key)]
        expect(one.open(node.fromBase64url(other.seal(head, message)), 4)).toBe(message)
        expect(other.open(node.fromBase64url(one.seal(head, message)), 4)).toBe(message)
      }),
    )
  })

  it('compares texts of any length', () => {
    fc.assert(fc.property(text, text, (one, other) => web.isSameText(one, other) === (one === other)))
    expect(web.isSameText('token', 'token')).toBe(true)
    expect(web.isSameText('token', 'tokens')).toBe(false)
    expect(web.isSameText('', 'a')).toBe(false)
  })

  it('describes two options that differ as two texts', () => {
    const texts = [{}, { a: 1 }, { a: '1' }, { a: [1] }, { a: /x/ }, { a: () => 1 }, { b: { a: 1 } }].map(web.describe)
    expect(new Set(texts).size).toBe(texts.length)
    expect(web.describe({ b: 1, a: { d: 1, c: 2 } })).toBe(web.describe({ a: { c: 2, d: 1 }, b: 1 }))
  })
})

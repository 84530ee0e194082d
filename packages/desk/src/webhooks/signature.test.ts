import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signatureOf, verifyWebhook } from './signature.js'

const now = Date.UTC(2026, 0, 1)
const secret = 'shh'
const body = '{"event":"asked"}'
const signature = signatureOf(secret, body, now)
const verify = (header: string | undefined, given = body, options: object = {}) =>
  verifyWebhook(secret, { 'beckon-signature': header }, given, { now, ...options })

describe('verifyWebhook', () => {
  it('takes what was signed, from fetch and from Node, as text and as bytes', () => {
    expect(verify(signature)).toBe(true)
    expect(verifyWebhook(secret, new Headers({ 'Beckon-Signature': signature }), body, { now })).toBe(true)
    expect(verifyWebhook(secret, { 'Beckon-Signature': signature }, Buffer.from(body), { now })).toBe(true)
  })

  it('takes one of several signatures, so that a secret can be changed', () => {
    expect(verify(`${signature},v1=${'0'.repeat(64)}`)).toBe(true)
    expect(verify(`t=${now / 1000},v1=${'0'.repeat(64)},${signature.split(',')[1]}`)).toBe(true)
  })

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['garbage', 'garbage'],
    ['no time', signature.split(',')[1]],
    ['no signature', signature.split(',')[0]],
    ['another time', signature.replace(/t=\d+/, `t=${now / 1000 + 1}`)],
    ['another version', signature.replace('v1', 'v0')],
    ['a short signature', signature.slice(0, -2)],
  ])('refuses %s', (_what, header) => {
    expect(verify(header)).toBe(false)
  })

  it('refuses another body, another secret, and no secret', () => {
    expect(verify(signature, `${body} `)).toBe(false)
    expect(verifyWebhook('other', { 'beckon-signature': signature }, body, { now })).toBe(false)
    expect(verifyWebhook('', { 'beckon-signature': signatureOf('', body, now) }, body, { now })).toBe(false)
  })

  it('refuses what is too old, or from the future', () => {
    const minutes = 60_000
    expect(verify(signature, body, { now: now + 5 * minutes })).toBe(true)
    expect(verify(signature, body, { now: now + 5 * minutes + 1 })).toBe(false)
    expect(verify(signature, body, { now: now - 6 * minutes })).toBe(false)
    expect(verify(signature, body, { now: now + minutes, toleranceMs: 1000 })).toBe(false)
    expect(verify(signature, body, { toleranceMs: Number.NaN })).toBe(false)
  })

  it('never throws, and takes nothing that was not signed', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (header, text) => !verify(header, text)))
  })
})

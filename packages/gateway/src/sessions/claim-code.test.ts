import { describe, expect, it } from 'vitest'
import { hashSecret, isSameSecret, mintCode, readCode } from './claim-code.js'

describe('a claim code', () => {
  it('is of letters and digits that nobody mistakes for one another', () => {
    for (let nth = 0; nth < 1_000; nth++) expect(mintCode()).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{2}$/)
  })

  it('is the same however it is written', () => {
    for (const written of ['AB3X-7K', 'ab3x-7k', ' ab3x 7k ', 'AB3X7K', 'AB-3X-7K'])
      expect(readCode(written)).toBe('AB3X-7K')
  })

  it('is nothing else', () => {
    for (const other of [undefined, 7, null, '', 'AB3X-7', 'AB3X-7KK', 'AB3X_7K', 'AB3X-7É', '-'.repeat(1e6)])
      expect(readCode(other)).toBeUndefined()
  })
})

describe('a secret', () => {
  it('is compared whatever the lengths', () => {
    expect(isSameSecret('abc', 'abc')).toBe(true)
    for (const other of ['', 'ab', 'abd', 'abcd']) expect(isSameSecret('abc', other)).toBe(false)
  })

  it('is not in what is kept of it', () => {
    expect(hashSecret('rt_token')).not.toContain('rt_token')
    expect(hashSecret('rt_token')).toBe(hashSecret('rt_token'))
  })
})

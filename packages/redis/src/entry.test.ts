import { expect, it } from 'vitest'
import { createVersion, decodeEntry, encodeEntry, isVersion, versionLength } from './entry.js'

it('reads back what it wrote', () => {
  for (const value of ['456', 456, null, '', [], { a: ['\ud800', '👍'] }]) {
    const version = createVersion()
    expect(decodeEntry(encodeEntry(version, value))).toEqual({ value, version })
  }
})

it('makes versions of one length, none twice', () => {
  const versions = Array.from({ length: 1_000 }, createVersion)
  expect(new Set(versions).size).toBe(versions.length)
  for (const version of versions) expect(isVersion(version) && version.length).toBe(versionLength)
})

it('knows what can be no version of its own', () => {
  for (const wrong of [0, '', 'nonsense', 'x'.repeat(versionLength + 1), `${'x'.repeat(versionLength)}\n`]) {
    expect(isVersion(wrong)).toBe(false)
  }
})

import fc from 'fast-check'

/**
 * Every character, but no half of a surrogate pair: what fast-check calls `binary`, without its table of a million strings,
 * which takes 85 MB and more than a second, and stays for as long as the worker that every other test file of it runs in.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ffff - 0x800 })
  .map(code => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

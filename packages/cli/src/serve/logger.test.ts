import { expect, it } from 'vitest'
import { withoutPasswords } from './logger.js'

it.each([
  ['postgres://u:pass@host/db is away', 'postgres://host/db is away'],
  ['postgres://u:pa/ss@host/db is away', 'postgres://host/db is away'],
  ['at redis://u:p@ss@host:1, twice', 'at redis://host:1, twice'],
  ['https://host/path?password=hush&a=1', 'https://host/path?password=...&a=1'],
])('says %j without a password', (text, expected) => {
  expect(withoutPasswords(text)).toBe(expected)
})

import { expect, it } from 'vitest'
import { unknownName } from './unknown-name.js'

const known = ['audience', 'quorum', 'timeoutMs', 'tool']

it('has nothing against names that are known, also without a value', () => {
  expect(unknownName({ audience: undefined, tool: 1 }, known)).toBeUndefined()
})

it.each([
  ['audiance', 'Write audience.'],
  ['quorun', 'Write quorum.'],
  ['timeoutms', 'Write timeoutMs.'],
  ['tools', 'Write tool.'],
  ['colour', 'Write one of audience, quorum, timeoutMs, tool.'],
  ['constructor', 'Write one of'],
  ['x'.repeat(1_000), `"${'x'.repeat(100)}" is not known here.`],
])('says what is wrong with %s', (name, said) => {
  expect(unknownName({ tool: 1, [name]: 1 }, known)).toContain(said)
})

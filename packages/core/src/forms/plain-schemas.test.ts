import { expect, it } from 'vitest'
import { describeSchema } from './describe-schema.js'

const choices = (count: number, first: string) => Array.from({ length: count }, (_, nth) => `${first} ${nth}`)

it('knows a plain schema by what it says, and works a long one out anew each time', () => {
  expect(describeSchema(['red', 'green'])).toBe(describeSchema(['red', 'green']))
  const [one, other] = [describeSchema(choices(2_000, 'city')), describeSchema(choices(2_000, 'city'))]
  expect(one).not.toBe(other)
  expect(one).toEqual(other)
})

it('forgets those that it has known for long', () => {
  const first = describeSchema(['first'])
  for (let nth = 0; nth < 300; nth++) describeSchema([`choice ${nth}`])
  expect(describeSchema(['first'])).toEqual(first)
})

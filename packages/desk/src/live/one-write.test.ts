import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inOneWrite } from './one-write.js'

it('holds a transport once for all that is written in a turn, and lets it go after', async () => {
  const done: string[] = []
  const transport = (name: string) => ({
    cork: () => void done.push(`${name} held`),
    uncork: () => void done.push(`${name} let go`),
  })
  const [one, other] = [transport('one'), transport('other')]
  inOneWrite(one)
  inOneWrite(other)
  inOneWrite(one)
  await Promise.resolve()
  inOneWrite(one)
  expect(done).toEqual(['one held', 'other held'])
  await turn()
  expect(done.slice(2)).toEqual(['one let go', 'other let go'])
  inOneWrite(one)
  await turn()
  expect(done.slice(4)).toEqual(['one held', 'one let go'])
})

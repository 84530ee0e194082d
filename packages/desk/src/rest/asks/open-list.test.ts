import fc from 'fast-check'
import { expect, it } from 'vitest'
import { comparePlaces } from '../paging.js'
import type { KnownAsk } from './known-ask.js'
import { OpenList } from './open-list.js'

const askOf = (id: string, askedAt: number): KnownAsk => ({
  id,
  askedAt,
  session: 's',
  server: 'shop',
  request: { id },
  policy: { expiresAt: 0 },
})

it('is the open asks by time, newest first, whatever was added and removed', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('add', 'remove'), fc.nat(200), fc.nat(50)), { maxLength: 400 })
  fc.assert(
    fc.property(steps, fc.nat(50), (taken, at) => {
      const list = new OpenList()
      const open = new Map<number, KnownAsk>()
      for (const [what, number, time] of taken) {
        const known = open.get(number)
        if (what === 'add' && known === undefined) {
          const ask = askOf(`${number}`, time)
          open.set(number, ask)
          list.add(ask)
        } else if (what === 'remove' && known !== undefined) {
          open.delete(number)
          list.remove(known)
        }
      }
      const place = (ask: KnownAsk) => ({ at: ask.askedAt, id: ask.id })
      const expected = [...open.values()].sort((a, b) => comparePlaces(place(b), place(a)))
      expect([...list.newestFirst()]).toEqual(expected)
      expect(list.size).toBe(open.size)
      const after = { at, id: '5' }
      expect([...list.newestFirst(after)]).toEqual(expected.filter(ask => comparePlaces(place(ask), after) < 0))
    }),
  )
})

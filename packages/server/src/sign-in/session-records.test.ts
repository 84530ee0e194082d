import { describe, expect, it } from 'vitest'
import { memoryStore } from '../store/memory-store.js'
import { memoryRecords, type SessionRecords, storeRecords } from './session-records.js'

type Person = { readonly principal: string; readonly groups: readonly string[] }
type Clock = { at: number; now(): number }

const kinds: [string, (clock: Clock) => SessionRecords<Person>][] = [
  ['in memory', clock => memoryRecords(clock)],
  ['in a store', clock => storeRecords(memoryStore({ clock }))],
]

describe.each(kinds)('session records %s', (_name, make) => {
  const person = { principal: 'alice', groups: ['release'] }

  async function setup(): Promise<{ clock: Clock; records: SessionRecords<Person> }> {
    const clock = { at: 0, now: () => clock.at }
    const records = make(clock)
    await records.add('secret', { person, startedAt: 0, expiresAt: 100 })
    return { clock, records }
  }

  it('are found by their secret until they expire', async () => {
    const { clock, records } = await setup()
    expect((await records.find('secret'))?.record).toEqual({ person, startedAt: 0, expiresAt: 100 })
    expect(await records.find('other')).toBeUndefined()
    clock.at = 100
    expect(await records.find('secret')).toBeUndefined()
  })

  it('live longer when they are extended', async () => {
    const { clock, records } = await setup()
    await (await records.find('secret'))?.extend(200)
    clock.at = 150
    expect((await records.find('secret'))?.record.expiresAt).toBe(200)
  })

  it('do not come back when one is extended while it is ended', async () => {
    const { records } = await setup()
    const found = await records.find('secret')
    await records.remove('secret')
    await found?.extend(200)
    expect(await records.find('secret')).toBeUndefined()
  })
})

it('keeps so many sessions in memory, and lets go of the one that was used least lately', async () => {
  const records = memoryRecords({ now: () => 0 }, 2)
  const record = { person: { principal: 'alice' }, startedAt: 0, expiresAt: 100 }
  await records.add('one', record)
  await records.add('two', record)
  await (await records.find('one'))?.extend(150)
  await records.add('three', record)
  const found = await Promise.all(['one', 'two', 'three'].map(secret => records.find(secret)))
  expect(found.map(session => session !== undefined)).toEqual([true, false, true])
})

it('ends every session of someone, however many there are, and one by its id wherever that is', async () => {
  const records = storeRecords<{ principal: string }>(memoryStore(), 'sessions', ({ principal }) => principal)
  const now = Date.now()
  const record = { person: { principal: 'eve' }, expiresAt: now + 60_000 }
  const add = (nth: number) => records.add(`s${nth}`, { ...record, startedAt: now + nth })
  await Promise.all(Array.from({ length: 1_100 }, (_, nth) => add(nth)))
  const [first] = (await records.owned?.list('eve')) ?? []
  expect(await records.owned?.end('eve', first?.id)).toBe(1)
  expect(await records.owned?.end('eve')).toBe(1_099)
  const left = await Promise.all(['s0', 's1050', 's1099'].map(secret => records.find(secret)))
  expect(left).toEqual([undefined, undefined, undefined])
})

import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../../test/fake-clock.js'
import { memoryStore } from '../../../store/index.js'
import { RecordTooLargeError, SessionGoneError } from './errors.js'
import type { SessionRecord } from './session-record.js'
import { type StoredLimits, StoredSessions } from './stored-sessions.js'

const limits: StoredLimits = {
  maxSessions: { principal: 2, anonymous: 3 },
  maxLength: { known: 1_000, anonymous: 200 },
  idleMs: 1_000,
}

const recordOf = (principal: string | null, initialize = {}): SessionRecord => ({
  principal,
  initialize,
  subscriptions: [],
})

function create() {
  const clock = new FakeClock()
  const store = { ...memoryStore({ clock }), shared: true }
  const on = (id: string) =>
    new StoredSessions({ store, clock, nodes: { id, join: () => undefined, isAlive: async () => true } }, limits)
  return { clock, store, on }
}

describe('sessions in a store', () => {
  it('have no id in any name', async () => {
    const { on } = create()
    expect(on('a').nameOf('the id')).not.toContain('the id')
    expect(on('a').nameOf('the id')).toBe(on('b').nameOf('the id'))
  })

  it('of strangers are so many at most, the latest, and end none of a known caller', async () => {
    const { clock, on } = create()
    const sessions = on('a')
    expect(await sessions.create('ana 1', recordOf('ana'))).toEqual([])
    for (const name of ['1', '2', '3']) {
      clock.advance(1)
      expect(await sessions.create(name, recordOf(null))).toEqual([])
    }
    clock.advance(1)
    // One that is in use is no longer the one that was in use longest ago.
    expect(await sessions.touch('1')).toBe(true)
    clock.advance(1)
    expect(await sessions.create('4', recordOf(null))).toEqual(['2'])
    await sessions.end('2')
    expect(await sessions.get('2')).toBeUndefined()
    for (const name of ['1', '3', '4', 'ana 1']) expect(await sessions.get(name)).toBeDefined()
  })

  it('of one principal make room for that principal alone', async () => {
    const { clock, on } = create()
    const sessions = on('a')
    for (const name of ['ben 1', 'ana 1', 'ana 2']) {
      clock.advance(1)
      expect(await sessions.create(name, recordOf(name.slice(0, 3)))).toEqual([])
    }
    expect(await sessions.create('ana 3', recordOf('ana'))).toEqual(['ana 1'])
    expect(await sessions.create('stranger', recordOf(null))).toEqual([])
  })

  it('that are gone by themselves take no room', async () => {
    const { clock, on } = create()
    const sessions = on('a')
    for (const name of ['1', '2', '3']) await sessions.create(name, recordOf(null))
    clock.advance(600)
    expect(await sessions.touch('3')).toBe(true)
    clock.advance(700)
    expect(await sessions.get('1')).toBeUndefined()
    expect(await sessions.touch('1')).toBe(false)
    for (const name of ['4', '5']) expect(await sessions.create(name, recordOf(null))).toEqual([])
    expect(await sessions.get('3')).toBeDefined()
  })

  it('are bounded in bytes, those of strangers more', async () => {
    const { on } = create()
    const sessions = on('a')
    const large = { clientInfo: 'x'.repeat(300) }
    await expect(sessions.create('1', recordOf(null, large))).rejects.toThrow(RecordTooLargeError)
    expect(await sessions.get('1')).toBeUndefined()
    await sessions.create('2', recordOf('ana', large))
    await sessions.create('3', recordOf(null))
    const subscriptions = ['x'.repeat(300)]
    await expect(sessions.change('3', record => ({ ...record, subscriptions }))).rejects.toThrow(RecordTooLargeError)
    expect(await sessions.get('3')).toEqual(recordOf(null))
    expect(await sessions.change('2', record => ({ ...record, subscriptions }))).toBe(true)
  })

  it('name the nodes that have them, and change on none once they are over', async () => {
    const { clock, on } = create()
    await on('a').create('1', recordOf(null))
    clock.advance(1)
    await on('b').join('1')
    expect(await on('c').nodesOf('1')).toEqual(['b', 'a'])
    expect(await on('c').end('1')).toEqual(['b', 'a'])
    await expect(on('a').change('1', record => ({ ...record, logLevel: 'debug' }))).rejects.toThrow(SessionGoneError)
    expect(await on('a').touch('1')).toBe(false)
  })

  it('keep all changes that nodes make at once', async () => {
    const { on } = create()
    await on('a').create('1', recordOf('ana'))
    const uris = Array.from({ length: 20 }, (_, index) => `note://${index}`)
    await Promise.all(
      uris.map((uri, index) =>
        on(`${index % 3}`).change('1', record => ({ ...record, subscriptions: [...record.subscriptions, uri] })),
      ),
    )
    expect(new Set((await on('a').get('1'))?.subscriptions)).toEqual(new Set(uris))
  })
})

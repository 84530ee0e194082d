import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTestClock } from '../test/test-clock.js'
import { Cell } from './handles/cell.js'
import { checkKeys, keyRingFor } from './key-ring.js'
import { memoryStore } from './memory-store.js'
import { sealedStore } from './sealed-store.js'
import type { Store } from './store.js'

const dayMs = 24 * 60 * 60 * 1000
const first = 'the first key that wraps'
const second = 'the second key that wraps'

afterEach(() => {
  vi.unstubAllEnvs()
})

function setUp() {
  const clock = createTestClock()
  const plain = { ...memoryStore({ clock }), shared: true }
  return { clock, plain, open: () => sealedStore(plain, undefined, clock) }
}

/** What is kept of the keys. */
async function ringIn(plain: Store): Promise<unknown> {
  return new Cell<unknown>(plain, 'keys').get()
}

describe('keys that are kept in the store', () => {
  it('are made by the first process, and open what the others sealed', async () => {
    const { open, plain } = setUp()
    const nodes = Array.from({ length: 10 }, open)
    await Promise.all(nodes.map((node, index) => node.set(`k${index}`, index)))
    for (const node of nodes)
      for (let index = 0; index < nodes.length; index++) expect((await node.get(`k${index}`))?.value).toBe(index)
    expect(await ringIn(plain)).toHaveLength(1)
  })

  it('are wrapped by BECKON_KEY, and are of no use without it', async () => {
    const { open, plain } = setUp()
    vi.stubEnv('BECKON_KEY', first)
    await open().set('k', 'v')
    expect(await ringIn(plain)).toBeTypeOf('string')
    expect((await open().get('k'))?.value).toBe('v')
    vi.stubEnv('BECKON_KEY', '')
    await expect(open().get('k')).rejects.toThrow('Set it to the key')
    vi.stubEnv('BECKON_KEY', second)
    await expect(open().get('k')).rejects.toThrow('does not fit')
    vi.stubEnv('BECKON_KEY', `${second},${first}`)
    expect((await open().get('k'))?.value).toBe('v')
  })

  it('are wrapped when BECKON_KEY is set later and says so, and stay the same', async () => {
    const { open, plain } = setUp()
    await open().set('k', 'v')
    expect(await ringIn(plain)).toBeInstanceOf(Array)
    vi.stubEnv('BECKON_KEY', `${first},none`)
    expect((await open().get('k'))?.value).toBe('v')
    expect(await ringIn(plain)).toBeTypeOf('string')
    vi.stubEnv('BECKON_KEY', first)
    expect((await open().get('k'))?.value).toBe('v')
  })

  it('count for nothing when someone with the database put them there beside BECKON_KEY', async () => {
    const { open, plain } = setUp()
    vi.stubEnv('BECKON_KEY', first)
    await open().set('k', 'v')
    await new Cell(plain, 'keys').set([{ secret: 'a key that the attacker knows', createdAt: 0 }])
    await expect(open().set('k', 'v')).rejects.toThrow('not wrapped, although BECKON_KEY is set')
    vi.stubEnv('BECKON_KEY', 'none')
    expect(() => open()).toThrow('BECKON_KEY')
  })

  it('are looked at without a change, to say whether this process can open them', async () => {
    const { open, plain } = setUp()
    await checkKeys(plain)
    expect(await ringIn(plain)).toBeUndefined()
    await open().set('k', 'v')
    vi.stubEnv('BECKON_KEY', first)
    await expect(checkKeys(plain)).rejects.toThrow('not wrapped, although BECKON_KEY is set')
    vi.stubEnv('BECKON_KEY', `${first},none`)
    await checkKeys(plain)
    expect(await ringIn(plain)).toBeInstanceOf(Array)
    await open().get('k')
    await checkKeys(plain)
    vi.stubEnv('BECKON_KEY', second)
    await expect(checkKeys(plain)).rejects.toThrow('does not fit')
    vi.stubEnv('BECKON_KEY', '')
    await expect(checkKeys(plain)).rejects.toThrow('Set it to the key')
  })

  it('are renewed, and everyone knows a key for a day before it seals anything', async () => {
    const { open, clock, plain } = setUp()
    const a = open()
    await a.set('old', 1)
    await clock.advance(31 * dayMs)
    const b = open()
    await b.set('new', 2)
    expect(await ringIn(plain)).toHaveLength(2)
    // The other one has not read the ring again since.
    expect((await a.get('new'))?.value).toBe(2)
    await clock.advance(2 * 60 * 60 * 1000)
    for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve))
    await clock.advance(2 * dayMs)
    for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve))
    const c = open()
    await c.set('newer', 3)
    expect(await Promise.all(['old', 'new', 'newer'].map(async key => (await a.get(key))?.value))).toEqual([1, 2, 3])
    await Promise.all([a, b, c].map(store => store.close()))
  })

  it('are asked for again after the store was away', async () => {
    const { plain, clock } = setUp()
    let isAway = true
    const store = sealedStore(
      { ...plain, get: key => (isAway ? Promise.reject(new Error('away')) : plain.get(key)) },
      undefined,
      clock,
    )
    await expect(store.get('k')).rejects.toThrow('away')
    isAway = false
    expect(await store.get('k')).toBeUndefined()
  })

  it('are not needed where someone gave keys', () => {
    const { plain, clock } = setUp()
    expect(keyRingFor(plain, first, clock).opening).toBeUndefined()
  })
})

describe('a sealed value', () => {
  it('is refused in another place', async () => {
    const plain = memoryStore()
    const store = sealedStore(plain, first)
    await store.set('mine', 1)
    await plain.set('yours', (await plain.get('mine'))?.value ?? null)
    await expect(store.get('yours')).rejects.toThrow('another place')
  })

  it('is what it was when it was written, and in order, while the keys are being read', async () => {
    const { open } = setUp()
    const store = open()
    const value = { n: 1 }
    const writing = Promise.all([
      store.set('k', value),
      store.delete('k'),
      store.set('k', value),
      store.append('l', [value]),
    ])
    value.n = 2
    await writing
    expect([(await store.get('k'))?.value, (await store.read('l'))[0]?.value]).toEqual([{ n: 1 }, { n: 1 }])
  })
})

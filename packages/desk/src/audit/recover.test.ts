// A process that dies between its append to a session and its write to the audit: what is missing is made good from the log of
// the session.
import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AwayStore, awayStore } from '../../test/away-store.js'
import { createParts, type DeskParts } from '../desk-parts.js'
import { openSession } from '../turns/desk-session.js'

let clock: TestClock
let shared: Store
const open: DeskParts[] = []

beforeEach(() => {
  clock = createTestClock()
  shared = memoryStore({ clock })
})

afterEach(async () => {
  for (const parts of open.splice(0)) await parts.close()
})

function node(store: Store = awayStore(shared)): DeskParts {
  const parts = createParts({ clock, store, onError: () => {} })
  open.push(parts)
  return parts
}

/** A node that can be killed: nothing of it reaches the store any more. */
function mortal(): { readonly parts: DeskParts; readonly store: AwayStore; die(): void } {
  const store = awayStore(shared)
  return {
    parts: node(store),
    store,
    die: () => {
      store.isAway = true
    },
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** Time goes by, and what happens in it is done. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 15_000) {
    await clock.advance(Math.min(15_000, left))
    await settle()
  }
}

async function ask(parts: DeskParts, id: string, session = 's'): Promise<void> {
  const known = await openSession(parts.turns, { id: session, title: 'Session', server: 'shop' })
  const turn = known.activeTurn() ?? (await known.startTurn())
  turn.ask({ id, message: `Sure about ${id}?` }).catch(() => {})
  await settle()
}

function accept({ actions }: DeskParts, requestId: string, id = 's') {
  const action = { type: 'session/inputCompleted', requestId, response: 'accept' }
  return actions.dispatch({ principal: 'alice', device: 'd' }, { session: id, on: 'session', dialect: '0.3', action })
}

async function events(parts: DeskParts): Promise<unknown[]> {
  return (await parts.audit.query()).map(({ event, request }) => `${event} ${request}`)
}

describe('an entry whose node died before it was written', () => {
  it('is made good by another node, with everything that it would have had', async () => {
    const [dying, other] = [mortal(), node()]
    await ask(dying.parts, 'r')
    await accept(dying.parts, 'r')
    dying.die()
    expect(await events(other)).toEqual([])
    await pass(120_000)
    const entries = await other.audit.query()
    expect(entries).toMatchObject([
      {
        event: 'asked',
        request: 'r',
        server: 'shop',
        isRecovered: true,
        shown: { text: { message: 'Sure about r?' } },
      },
      { event: 'accepted', request: 'r', by: { principal: 'alice' }, isRecovered: true, answer: expect.any(String) },
    ])
    expect(await other.audit.verify()).toMatchObject({ isWhole: true })
  })

  it('is made good although its node was only slow, and noted it while others made good what was before', async () => {
    const own = awayStore(shared)
    // It gets no further than its appends to sessions.
    const append: Store['append'] = (log, ...rest) =>
      log.includes('/audit/') ? Promise.reject(new Error('slow')) : own.append(log, ...rest)
    const slow = node({ ...own, append })
    let meanwhile = async () => {}
    const plain = awayStore(shared)
    const watching: Store = {
      ...plain,
      async range(set, options) {
        const found = await plain.range(set, options)
        if (set.includes('/pending/') && found.length > 0) {
          const once = meanwhile
          meanwhile = async () => {}
          await once()
        }
        return found
      },
    }
    const other = node(watching)
    await ask(slow, 'one')
    own.isAway = true
    meanwhile = async () => {
      own.isAway = false
      await ask(slow, 'two', 'another')
      own.isAway = true
    }
    await pass(240_000)
    expect(await events(other)).toEqual(['asked one', 'asked two'])
  })

  it('is made good by the next start, where there is one node', async () => {
    const dying = mortal()
    await ask(dying.parts, 'r')
    dying.die()
    await clock.advance(60 * 60_000)
    const next = node()
    await pass(120_000)
    expect(await events(next)).toEqual(['asked r'])
  })

  it('is not there twice when it had been written, or when others went on with the session', async () => {
    const [dying, other] = [mortal(), node()]
    await ask(dying.parts, 'one')
    await dying.parts.audit.written()
    await ask(dying.parts, 'two')
    dying.die()
    await clock.advance(1)
    await accept(other, 'one')
    await pass(120_000)
    expect(await events(other)).toEqual(['asked one', 'asked two', 'accepted one'])
    let lines = ''
    for await (const line of other.audit.export()) lines += line
    expect(lines.trim().split('\n')).toHaveLength(3)
  })

  it('is read once when the node was only silent, and wrote it after all', async () => {
    const [silent, other] = [mortal(), node()]
    await ask(silent.parts, 'r')
    silent.die()
    await pass(120_000)
    expect(await events(other)).toEqual(['asked r'])
    silent.store.isAway = false
    await silent.parts.audit.written()
    expect(await events(other)).toEqual(['asked r'])
    // What it does from now on is noted again.
    await ask(silent.parts, 'later')
    silent.die()
    await pass(120_000)
    expect(await events(other)).toEqual(['asked r', 'asked later'])
  })

  describe('where an append was made although it rejected, and nobody heard of it', () => {
    /** The append is made, and everything after it fails. */
    async function acceptUnheard({ parts, store, die }: ReturnType<typeof mortal>, request: string): Promise<void> {
      const { append } = store
      store.append = async (log, ...rest) => {
        const at = await append(log, ...rest)
        if (!log.includes('/session/')) return at
        die()
        throw new Error('cut off')
      }
      await accept(parts, request).catch(() => {})
      store.append = append
      store.isAway = false
    }

    it('is made good by its node, soon', async () => {
      const lost = mortal()
      await ask(lost.parts, 'r')
      await lost.parts.audit.written()
      await acceptUnheard(lost, 'r')
      await pass(30_000)
      expect(await events(lost.parts)).toEqual(['asked r', 'accepted r'])
    })

    it('is made good although its node went on with the session', async () => {
      const lost = mortal()
      await ask(lost.parts, 'one')
      await ask(lost.parts, 'two')
      await acceptUnheard(lost, 'one')
      await clock.advance(1)
      await accept(lost.parts, 'two')
      await pass(240_000)
      expect(await events(lost.parts)).toEqual(['asked one', 'asked two', 'accepted one', 'accepted two'])
    })
  })

  it('is made good although the append that was to name its node was refused', async () => {
    const other = node()
    await ask(other, 'r')
    await other.audit.written()
    const dying = mortal()
    // While the first append that says so is on its way, and refused, another one is stored that the audit has nothing of.
    const { append } = dying.store
    let storeOther = () => {}
    const isNaming = new Promise<void>(resolve => {
      storeOther = resolve
    })
    let refusals = 1
    dying.store.append = async (log, entries, options) => {
      if (log.endsWith('/session/another')) await isNaming
      if (!log.endsWith('/session/s') || refusals-- <= 0) return append(log, entries, options)
      storeOther()
      await settle()
      return undefined
    }
    await Promise.all([
      openSession(dying.parts.turns, { id: 'another', title: 'Session', server: 'shop' }),
      accept(dying.parts, 'r'),
    ])
    dying.die()
    await pass(120_000)
    expect(await events(other)).toEqual(['asked r', 'accepted r'])
  })
})

it('a node that was made up for costs nothing from then on', async () => {
  const dying = mortal()
  for (let count = 0; count < 30; count++) await ask(dying.parts, 'r', `s${count}`)
  dying.die()
  let reads = 0
  const store: Store = {
    ...awayStore(shared),
    read: (...args) => {
      reads++
      return shared.read(...args)
    },
  }
  const other = node(store)
  await pass(120_000)
  expect(await events(other)).toHaveLength(30)
  reads = 0
  await pass(120_000)
  expect(reads).toBeLessThan(5)
})

it('sessions that are asked at the same time are noted in one write, and each once a minute', async () => {
  const appended: string[] = []
  const store: Store = {
    ...awayStore(shared),
    append: (log, ...rest) => {
      if (log.includes('/pending/')) appended.push(log)
      return shared.append(log, ...rest)
    },
  }
  const parts = node(store)
  await Promise.all(Array.from({ length: 20 }, (_, index) => ask(parts, 'r', `s${index}`)))
  expect(appended.length).toBeLessThan(4)
  const count = appended.length
  await accept(parts, 'r', 's0')
  expect(appended).toHaveLength(count)
  expect(await events(parts)).toHaveLength(21)
})

it('notes of sessions do not stay, and a node that is closed leaves none', async () => {
  const parts = node()
  for (let count = 0; count < 5; count++) {
    await ask(parts, `r${count}`, `s${count}`)
    await pass(60_000)
  }
  const notes = async () => {
    const sets = [0, 1, 2].map(slot => `desk/audit/pending/${parts.turns.node}/${slot}`)
    return (await Promise.all(sets.map(set => shared.range(set, { limit: 10 })))).flat()
  }
  expect((await notes()).length).toBeGreaterThan(0)
  expect((await notes()).length).toBeLessThan(4)
  await parts.close()
  expect(await notes()).toEqual([])
  expect(await shared.range('desk/audit/nodes', { limit: 10 })).toEqual([])
})

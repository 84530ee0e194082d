// What nodes tell each other brings along what happened: nobody reads it, and nobody believes what it cannot be.
import { memoryStore } from 'beckon'
import { type JsonValue, type SealedStore, type Store, sealedStore } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createParts, type DeskParts } from '../desk-parts.js'
import type { Session } from '../model/session.js'
import { openSession } from '../turns/desk-session.js'
import { openOnDesk } from '../turns/open-ask.js'

const topic = 'desk/hints'
const key = 'a key that both nodes have, of enough bytes'

let clock: TestClock
let plain: Store
const open: DeskParts[] = []

beforeEach(() => {
  clock = createTestClock()
  plain = memoryStore({ clock })
})

afterEach(async () => {
  for (const parts of open.splice(0)) await parts.close()
})

interface Node {
  readonly parts: DeskParts
  readonly sealed: SealedStore
  /** Logs of sessions, and lists of what ended, that were read. */
  readonly reads: string[]
  /** Those of lists of what ended that were written to. */
  readonly expiries: unknown[]
  /** How many messages it has sent that have a hint in them. */
  readonly hints: { sent: number }
}

function node(store: Store = plain): Node {
  const reads: string[] = []
  const expiries: unknown[] = []
  const hints = { sent: 0 }
  const counted: Store = {
    ...store,
    publish(name, message) {
      const { h } = message as { h?: unknown[] }
      if (name === topic && h !== undefined && h.length > 0) hints.sent++
      return store.publish(name, message)
    },
    append(log, entries, options) {
      for (const { set, expiresAt } of options?.puts ?? []) if (set.startsWith('desk/ended/')) expiries.push(expiresAt)
      return store.append(log, entries, options)
    },
    read(log, ...rest) {
      if (log.startsWith('desk/session/')) reads.push(log)
      return store.read(log, ...rest)
    },
    range(set, ...rest) {
      if (set.startsWith('desk/ended/')) reads.push(set)
      return store.range(set, ...rest)
    },
  }
  const sealed = sealedStore(counted, key, clock)
  const parts = createParts({ clock, store: sealed, seal: sealed })
  open.push(parts)
  return { parts, sealed, reads, expiries, hints }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** Asks alice, as servers do: in a session of its own, with one append. */
async function ask({ parts }: Node, id: string, message = 'Sure?', principals = ['alice']) {
  const policy = { audience: { principals } }
  const asked = [{ server: 'shop' }, { id, message }, { policy, expiresAt: clock.now() + 86_400_000 }] as const
  const opened = await openOnDesk(parts.turns, asked, { linkTo: () => '', identifiesPeople: true })
  const outcome = opened.outcome()
  await settle()
  return { outcome }
}

function accept({ parts }: Node, id: string) {
  const action = { type: 'session/inputCompleted', requestId: id, response: 'accept' }
  const viewer = { principal: 'alice', device: 'd' }
  return parts.actions.dispatch(viewer, { session: `call-${id}`, on: 'session', dialect: '0.3', action })
}

/** Two nodes: at one of them alice looks, and both have heard that. */
async function pair(): Promise<{ asking: Node; answering: Node; announced: Session[]; told: string[] }> {
  const [asking, answering] = [node(), node()]
  const announced: Session[] = []
  const told: string[] = []
  answering.parts.audiences.onAnnounced(session => announced.push(session))
  answering.parts.sessions.listen(({ id, event }) => told.push(`${id} ${event.type}`))
  answering.parts.audiences.follow({ principal: 'alice' })
  await settle()
  const { outcome } = await ask(asking, 'first')
  await accept(answering, 'first')
  await outcome
  await settle()
  for (const list of [announced, told, asking.reads, answering.reads, answering.expiries]) list.length = 0
  return { asking, answering, announced, told }
}

describe('a hint', () => {
  it('brings an ask to the node that looks, and its end back, and neither reads', async () => {
    const { asking, answering, announced, told } = await pair()
    const { outcome } = await ask(asking, 'r')
    expect(told).toEqual(['call-r created', 'call-r turnStarted', 'call-r asked'])
    expect(await accept(answering, 'r')).toMatchObject({ kind: 'accepted' })
    expect(await outcome).toMatchObject({ action: 'accept' })
    expect(announced).toEqual([])
    expect([asking.reads, answering.reads]).toEqual([[], []])
  })

  it('has a name of what ended removed with the next append', async () => {
    const { asking, answering } = await pair()
    const { outcome } = await ask(asking, 'r')
    await accept(answering, 'r')
    await outcome
    const set = `desk/ended/${asking.parts.turns.node}`
    expect(await plain.count(set, { upTo: 10 })).toBe(1)
    // With an expiry, a store holds the list until the append is done, and other nodes write there, too.
    expect(answering.expiries).toEqual([undefined])
    await ask(asking, 'r2')
    expect(await plain.count(set, { upTo: 10 })).toBe(0)
  })

  it('says nothing to whoever reads the store', async () => {
    const { asking } = await pair()
    const messages: string[] = []
    await plain.subscribe(topic, message => messages.push(JSON.stringify(message)))
    await ask(asking, 'r', 'Launch the rocket?')
    expect(messages.some(message => 'e' in JSON.parse(message))).toBe(true)
    expect(messages.join()).not.toContain('rocket')
    expect(messages.join()).not.toContain('alice')
  })

  it('brings nothing along while nobody else listens', async () => {
    const alone = node()
    alone.parts.audiences.follow({ principal: 'alice' })
    const messages: JsonValue[] = []
    await plain.subscribe(topic, message => messages.push(message))
    await ask(alone, 'r')
    expect(messages.length).toBeGreaterThan(0)
    expect(messages.filter(message => 'e' in (message as object))).toEqual([])
  })

  it('brings long asks along as well', async () => {
    const { asking, answering, told } = await pair()
    for (const chars of [400, 800, 1_600, 2_400]) await ask(asking, `r${chars}`, 'x'.repeat(chars))
    expect(told.filter(event => event.endsWith('asked'))).toHaveLength(4)
    expect(answering.reads).toEqual([])
  })

  it('comes to an end however many people it is for, and however long the name of its session is', async () => {
    const { asking, answering } = await pair()
    const id = 'r'.repeat(190)
    const principals = ['alice', ...Array.from({ length: 70 }, (_, n) => `p${n}`)]
    await ask(asking, id, 'x'.repeat(1_000), principals)
    expect(await accept(answering, id)).toMatchObject({ kind: 'accepted' })
  })

  it('is said with others of its turn, and what each of them brings', async () => {
    const { asking, answering, told } = await pair()
    const before = asking.hints.sent
    await Promise.all(['a', 'b', 'c'].map(id => ask(asking, id)))
    expect(told.filter(event => event.endsWith('asked'))).toHaveLength(3)
    expect(answering.reads).toEqual([])
    expect(asking.hints.sent).toBe(before + 1)
  })

  it('leaves what is too long for a message to a read', async () => {
    const { asking, answering, announced } = await pair()
    await ask(asking, 'r', 'x'.repeat(10_000))
    expect(answering.reads).toContain('desk/session/call-r')
    expect(announced.map(({ open }) => [...open.keys()])).toContainEqual(['r'])
  })

  it('is heard where nothing is sealed, whatever characters an ask has', async () => {
    const [asking, answering] = [0, 1].map(() => createParts({ clock, store: plain })) as [DeskParts, DeskParts]
    open.push(asking, answering)
    const heard: string[] = []
    answering.audiences.onAnnounced(({ id }) => heard.push(id))
    answering.sessions.listen(({ id }) => heard.push(id))
    answering.audiences.follow({ principal: 'alice' })
    await settle()
    // The first one says that what was appended is of use.
    for (const [id, length] of [
      ['first', 1],
      ['long', 2_500],
    ] as const) {
      const session = await openSession(asking.turns, { id, title: id, server: 'shop' })
      const turn = await session.startTurn()
      turn.ask({ id, message: '"'.repeat(length) }, { audience: { principals: ['alice'] } }).catch(() => {})
      await settle()
      expect(heard).toContain(id)
    }
  })

  it('is believed only as far as a node of this desk has sealed it, for that session', async () => {
    const { asking, answering, told } = await pair()
    const messages: { n: string; i: number; h: string[][]; e?: JsonValue[] }[] = []
    const stop = await plain.subscribe(topic, message => messages.push(message as (typeof messages)[number]))
    await ask(asking, 'r')
    await stop()
    const [message] = messages.filter(({ h, e }) => h[0]?.[0] === 'call-r' && typeof e?.[0] === 'string')
    if (message === undefined) throw new Error('nothing came along')
    told.length = 0
    const forged = [
      { seq: 1, value: { v: 1, w: 'w', p: '', e: [{ type: 'created', at: 1, id: 'x', title: 'X', server: 's' }] } },
    ]
    const [hint = []] = message.h
    for (const appended of [message.e?.[0] ?? null, forged, 'nonsense', 7]) {
      await plain.publish(topic, { n: 'n', i: 1, h: [['x', ...hint.slice(1)]], e: [appended] })
      await settle()
    }
    expect(told).toEqual([])
    expect(answering.parts.sessions.known('x')).toBeUndefined()
    // Nor is what was said once told again.
    await plain.publish(topic, message)
    await settle()
    expect(told).toEqual([])
  })

  it('of what the log has lost since is taken back at the next read', async () => {
    const { asking, answering, told } = await pair()
    const resets: string[] = []
    answering.parts.sessions.onReset(id => resets.push(id))
    const { outcome } = await ask(asking, 'r')
    outcome.catch(() => {})
    expect(told).toContain('call-r asked')
    const kept = (await plain.read('desk/session/call-r')).slice(0, -1).map(({ value }) => value)
    await plain.erase('desk/session/call-r')
    await plain.append('desk/session/call-r', kept)
    expect(await accept(answering, 'r')).toMatchObject({ kind: 'refused' })
    expect(resets).toEqual(['call-r'])
    expect(answering.parts.sessions.known('call-r')).toBeUndefined()
  })
})

describe('hints that are lost, doubled or late', () => {
  it('leave whoever waits to its list, also for what ended before, and whose log has lost that', async () => {
    const { asking, answering, announced } = await pair()
    const { outcome } = await ask(asking, 'r')
    await accept(answering, 'r')
    await outcome
    // Both were told; and the store goes on with a replica which was behind.
    const kept = (await plain.read('desk/session/call-r')).slice(0, -1).map(({ value }) => value)
    await plain.erase('desk/session/call-r')
    await plain.append('desk/session/call-r', kept)
    const again = await ask(asking, 'r')
    await answering.parts.sessions.refresh('call-r')
    const silent = node({ ...plain, publish: async () => {} })
    expect(await accept(silent, 'r')).toMatchObject({ kind: 'accepted' })
    let ended: unknown
    again.outcome.then(one => {
      ended = one
    })
    await settle()
    expect(ended).toBeUndefined()
    await clock.advance(5_000)
    await settle()
    expect(ended).toMatchObject({ action: 'accept' })
    // And whoever looks is told, in a while.
    const told: string[] = []
    answering.parts.sessions.listen(({ id, event }) => told.push(`${id} ${event.type}`))
    await clock.advance(30_000)
    await settle()
    expect([...told, ...announced.map(({ id }) => id)].join()).toContain('call-r')
  })

  it('tell every node the same, in the same order, each event once', async () => {
    const step = fc.oneof(
      fc.record({ changes: fc.nat(2) }),
      fc.record({ delivers: fc.nat(20), to: fc.nat(2) }),
      fc.record({ looks: fc.nat(2) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async steps => {
        clock = createTestClock()
        plain = memoryStore({ clock })
        const messages: JsonValue[] = []
        const listeners: ((message: JsonValue) => void)[] = []
        const held: Store = {
          ...plain,
          publish: async (_topic, message) => void messages.push(structuredClone(message)),
          subscribe: async (_topic, listener) => {
            listeners.push(listener)
            return async () => {}
          },
        }
        const nodes = [node(held), node(held), node(held)]
        const told = nodes.map(({ parts }) => {
          const titles: string[] = []
          parts.sessions.listen(({ event }) => event.type === 'titleChanged' && titles.push(event.title))
          return titles
        })
        await openSession(nodes[0]?.parts.turns as DeskParts['turns'], { id: 's', title: 'S', server: 'shop' })
        for (const { parts } of nodes) await parts.sessions.follow('s')
        // Each has said that it listens.
        for (const [n, listener] of listeners.entries()) listener({ n: `other ${n}`, h: [], w: true })
        let changes = 0
        for (const step of steps) {
          if ('changes' in step) {
            const title = `${changes++}`
            await nodes[step.changes]?.parts.sessions.change('s', () => ({
              events: [{ type: 'titleChanged', title, at: 1 }],
            }))
          } else if ('delivers' in step) {
            const message = messages[step.delivers % (messages.length || 1)]
            if (message !== undefined) listeners[step.to]?.(structuredClone(message))
          } else await nodes[step.looks]?.parts.sessions.lookAgain()
          await new Promise(resolve => setImmediate(resolve))
        }
        for (const { parts } of nodes) await parts.sessions.lookAgain()
        const titles = Array.from({ length: changes }, (_, n) => `${n}`)
        for (const heard of told) expect(heard).toEqual(titles)
        for (const parts of open.splice(0)) await parts.close()
      }),
      { numRuns: 60 },
    )
  }, 30_000)
})

describe('people who look', () => {
  it('have little read again that they were told, until a hint is lost', async () => {
    const { asking, answering } = await pair()
    const names = Array.from({ length: 60 }, (_, n) => [`done${n}`, `open${n}`]).flat()
    for (const name of names) {
      const { outcome } = await ask(asking, name)
      if (name.startsWith('done')) await accept(answering, name)
      else outcome.catch(() => {})
    }
    expect(answering.reads).toEqual([])
    await clock.advance(30_000)
    await settle()
    expect(answering.reads.length).toBeGreaterThan(0)
    expect(answering.reads.length).toBeLessThanOrEqual(100)
    answering.reads.length = 0
    await plain.publish(topic, { n: asking.parts.turns.node, i: 1_000, h: [] })
    await clock.advance(30_000)
    await settle()
    expect(new Set(answering.reads).size).toBeGreaterThanOrEqual(120)
  })

  it('see in a while that a log has lost what they were told', async () => {
    const { asking, answering } = await pair()
    const resets: string[] = []
    answering.parts.sessions.onReset(id => resets.push(id))
    const { outcome } = await ask(asking, 'r')
    await accept(answering, 'r')
    await outcome
    await plain.erase('desk/session/call-r')
    await clock.advance(30_000)
    await settle()
    expect(resets).toContain('call-r')
  })
})

describe('a node that is alone', () => {
  /** The sessions that it learns of, by what was appended or by reading. */
  function heardAt({ parts }: Node): readonly string[] {
    const heard: string[] = []
    parts.audiences.onAnnounced(({ id }) => heard.push(id))
    parts.sessions.listen(({ id }) => heard.push(id))
    return heard
  }

  it('says nothing, once nobody else has said that they listen', async () => {
    const only = node()
    only.parts.audiences.follow({ principal: 'alice' })
    await settle()
    await ask(only, 'soon')
    expect(only.hints.sent).toBeGreaterThan(0)
    await clock.advance(5_000)
    const before = only.hints.sent
    await ask(only, 'later')
    await accept(only, 'later')
    expect(only.hints.sent).toBe(before)
  })

  it('says everything from the moment on at which another begins to listen, and as long as that one does', async () => {
    const first = node()
    first.parts.audiences.follow({ principal: 'bob' })
    await settle()
    await clock.advance(600_000)
    const second = node()
    const heard = heardAt(second)
    second.parts.audiences.follow({ principal: 'alice' })
    await settle()
    for (const id of ['at-once', 'much-later']) {
      await ask(first, id)
      expect(heard).toContain(`call-${id}`)
      // Ten minutes of silence, but for saying that it listens.
      for (let minute = 0; minute < 10; minute++) {
        await clock.advance(60_000)
        await settle()
      }
    }
    const sent = first.hints.sent
    await second.parts.close()
    open.splice(open.indexOf(second.parts), 1)
    await clock.advance(180_000)
    await settle()
    await ask(first, 'nobody-there')
    expect(first.hints.sent).toBe(sent)
  })

  it.each([0, 10_000])('hears one that begins to listen later, and says something %i ms later', async passed => {
    const first = node()
    first.parts.audiences.follow({ principal: 'alice' })
    await settle()
    await clock.advance(600_000)
    const heard = heardAt(first)
    const second = node()
    second.parts.audiences.follow({ principal: 'bob' })
    await settle()
    await clock.advance(passed)
    await ask(second, 'new')
    expect(heard).toContain('call-new')
  })

  /** A store whose messages are not heard for a while, as over a connection that broke. */
  function deafStore(): { store: Store; isDeaf: boolean } {
    const deaf = {
      isDeaf: false,
      store: {
        ...plain,
        subscribe: (name: string, listener: Parameters<Store['subscribe']>[1]) =>
          plain.subscribe(name, message => {
            if (!deaf.isDeaf) listener(message)
          }),
      },
    }
    return deaf
  }

  it('is asked twice whether it is there', async () => {
    const deaf = deafStore()
    const first = node(deaf.store)
    first.parts.audiences.follow({ principal: 'bob' })
    await settle()
    await clock.advance(600_000)
    deaf.isDeaf = true
    const second = node()
    second.parts.audiences.follow({ principal: 'alice' })
    await settle()
    deaf.isDeaf = false
    await clock.advance(3_000)
    await settle()
    const heard = heardAt(second)
    await ask(first, 'r')
    expect(heard).toContain('call-r')
  })

  it('says with its next message that it was silent, should others have been there', async () => {
    const deaf = deafStore()
    const first = node(deaf.store)
    first.parts.audiences.follow({ principal: 'bob' })
    const second = node()
    second.parts.audiences.follow({ principal: 'alice' })
    await settle()
    await clock.advance(10_000)
    await ask(first, 'heard')
    let lost = 0
    second.parts.sessions.hints.onLost(() => lost++)
    deaf.isDeaf = true
    await clock.advance(170_000)
    await settle()
    expect(lost).toBe(0)
    await clock.advance(60_000)
    await ask(first, 'not-said')
    expect(lost).toBe(0)
    await clock.advance(60_000)
    await settle()
    expect(lost).toBe(1)
  })
})

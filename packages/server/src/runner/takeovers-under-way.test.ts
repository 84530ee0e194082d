// What happens to a call while one process takes it from another: both may come back, close or die in the middle of it.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askOnTask, close, createCluster, leaseMs } from '../../test/cluster.js'
import { turn } from '../../test/round-node.js'
import { digest } from '../crypto/digest.js'
import { OwnedCalls } from '../log/owned-calls.js'
import type { MortalStore } from '../test/mortal-store.js'

/** The ids that calls were given. */
const ids: string[] = []
const { nextId } = OwnedCalls.prototype

beforeEach(() => {
  ids.length = 0
  vi.spyOn(OwnedCalls.prototype, 'nextId').mockImplementation(function (this: OwnedCalls) {
    const id = nextId.call(this)
    ids.push(id)
    return id
  })
})
afterEach(() => vi.restoreAllMocks())

/** Has the first append with such an event wait until it is let go. */
function holdUp(store: MortalStore, kind: string) {
  const { append } = store
  const held: { goOn?: () => void } = {}
  store.append = async (log, entries, ...rest) => {
    if (held.goOn === undefined && JSON.stringify(entries).includes(kind))
      await new Promise<void>(resolve => {
        held.goOn = resolve
      })
    return append(log, entries, ...rest)
  }
  return held
}

describe('a call', () => {
  it.each(['dies', 'closes'])(
    'is not lost when its process runs it again, and %s, while another is about to take it',
    async how => {
      const entered: string[] = []
      const { nodes, pass } = createCluster(
        ['a', 'b'],
        name => async call => {
          entered.push(`${name} ${call.target.digest}`)
          await askOnTask(call, 'one')
          return askOnTask(call, 'two')
        },
        { limits: { suspended: 1 } },
      )
      const [a, b] = nodes
      await Promise.all([a.nodes.join(), b.nodes.join()])
      void a.send({ canRepeat: true, args: 'x' })
      await pass(500, a, b)
      // It is let go to stay within bounds.
      void a.send({ canRepeat: true, args: 'y' })
      await pass(500, a, b)
      const [x = ''] = ids
      expect(a.runner.durable.find(x)).toBeUndefined()
      const held = holdUp(b.store, 'claimed')
      await pass(2 * leaseMs, b)
      expect(held.goOn).toBeDefined()
      // The first was only slow: an answer reaches it.
      await a.runner.durable.answer(x, ({ ask }) =>
        'message' in ask && ask.message === 'one'
          ? { kind: 'outcome', outcome: { action: 'accept', content: {} } }
          : undefined,
      )
      await turn()
      expect(entered.filter(entry => entry === 'a x')).toHaveLength(2)
      if (how === 'dies') a.store.die()
      else await close(a)
      held.goOn?.()
      await pass(10 * leaseMs, b)
      expect(entered).toContain('b x')
    },
  )

  it('is not begun by a process that closes while it takes the call, and is by the next', async () => {
    const entered: string[] = []
    const presenter = {
      link: async () => 'https://desk.example/',
      open: () => new Promise<never>(() => {}),
      withdraw() {},
      report() {},
    }
    const { nodes, pass } = createCluster(
      ['a', 'b', 'c'],
      name => async call => {
        entered.push(name)
        await call.ask({ kind: 'confirm', message: 'Sure?' }, { timeoutMs: 3_600_000, wire: 'desk' })
      },
      { presenter },
    )
    const [a, b, c] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join(), c.nodes.join()])
    void a.send({ canRepeat: true, principal: 'ana', waitMs: 1_000_000 })
    await pass(1_000, a, b, c)
    expect(entered).toEqual(['a'])
    a.store.die()
    const { compareAndSet } = b.store
    let goOn: (() => void) | undefined
    b.store.compareAndSet = async (key, ...rest) => {
      if (key.startsWith('repeat/') && goOn === undefined)
        await new Promise<void>(resolve => {
          goOn = resolve
        })
      return compareAndSet(key, ...rest)
    }
    await pass(2 * leaseMs, b)
    expect(goOn).toBeDefined()
    b.runner.close()
    goOn?.()
    await b.nodes.close()
    await turn()
    await pass(4 * leaseMs, c)
    expect(entered).toEqual(['a', 'c'])
  })

  it('that comes back to a process is found, though that one still removes its name', async () => {
    const entered: string[] = []
    const { nodes, pass } = createCluster(['a', 'b', 'c'], name => async call => {
      entered.push(name)
      await askOnTask(call, 'one')
    })
    const [a, b, c] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join(), c.nodes.join()])
    void a.send({ canRepeat: true })
    await pass(1_000, a, b, c)
    const { remove } = a.store
    let goOn: (() => void) | undefined
    a.store.remove = async (set, ...rest) => {
      if (set === `calls of ${a.nodes.id}` && goOn === undefined)
        await new Promise<void>(resolve => {
          goOn = resolve
        })
      return remove(set, ...rest)
    }
    // The first stands still: the second takes the call.
    for (let ms = 0; ms < 2 * leaseMs; ms += 100) {
      await pass(100, b)
      c.clock.jump(100)
    }
    expect(entered).toEqual(['a', 'b'])
    a.clock.jump(2 * leaseMs)
    await pass(leaseMs, a, b, c)
    expect(goOn).toBeDefined()
    b.store.die()
    await pass(3 * leaseMs, a)
    expect(entered).toEqual(['a', 'b', 'a'])
    goOn?.()
    await turn()
    a.store.die()
    await pass(8 * leaseMs, c)
    expect(entered).toEqual(['a', 'b', 'a', 'c'])
  })

  it('that a client was told of is found, though its process closed while it began', async () => {
    const entered: string[] = []
    const { nodes, pass } = createCluster(['a', 'b'], name => async call => {
      entered.push(name)
      await askOnTask(call, 'one')
    })
    const [a, b] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join()])
    await pass(1_000, a, b)
    const held = holdUp(a.store, 'begun')
    const { answer } = a.runner
    a.runner.answer = request => answer.call(a.runner, { ...request, takesTasks: true })
    const told = a.send({ canRepeat: true }).then(
      ({ kind }) => kind,
      error => error.message,
    )
    await pass(200, a, b)
    await close(a)
    await pass(4 * leaseMs, b)
    held.goOn?.()
    await pass(4 * leaseMs, a, b)
    expect(await told).toBe('The server has closed.')
    expect(entered).toEqual(['a'])
  })
})

describe('calls of a process that is gone', () => {
  it('are found by the secret of their ids, though it was written late', async () => {
    const entered: string[] = []
    const { nodes, pass, shared } = createCluster(['a', 'b'], name => async call => {
      entered.push(`${name} ${call.target.digest}`)
      await askOnTask(call, 'one')
    })
    const [a, b] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join()])
    // The first write seems to fail, and lands a little later.
    const { compareAndSet } = a.store
    let late: (() => Promise<unknown>) | undefined
    a.store.compareAndSet = async (key, ...rest) => {
      if (key.startsWith('ids of') && late === undefined) {
        late = () => shared.compareAndSet(key, ...rest)
        throw new Error('timeout')
      }
      return compareAndSet(key, ...rest)
    }
    void a.send({ canRepeat: true, args: '1' })
    await pass(300, a, b)
    expect(late).toBeDefined()
    void a.send({ canRepeat: true, args: '2' })
    await pass(300, a, b)
    await late?.()
    void a.send({ canRepeat: true, args: '3' })
    await pass(300, a, b)
    a.store.die()
    await pass(6 * leaseMs, b)
    expect(entered.filter(entry => entry.startsWith('b')).sort()).toEqual(['b 1', 'b 2', 'b 3'])
  })

  it.each(['another', 'the same'])('are taken over beside a log that cannot be read, of %s process', async whose => {
    const entered: string[] = []
    const called: string[] = []
    const { nodes, pass, shared } = createCluster(['a', 'b', 'c'], name => async call => {
      entered.push(`${name} ${call.target.digest}`)
      if (!called.includes(call.id)) called.push(call.id)
      await askOnTask(call, 'one')
    })
    const [a, b, c] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join(), c.nodes.join()])
    void a.send({ canRepeat: true, args: '0' })
    await pass(300, a, b, c)
    void (whose === 'another' ? c : a).send({ canRepeat: true, args: '1' })
    await pass(300, a, b, c)
    // What is looked at first: of two processes, the one whose name comes first; of one, the call that began first.
    const which = whose === 'the same' || a.nodes.id < c.nodes.id ? 0 : 1
    // Of a later program, which uses the same store.
    await shared.append(`call/${digest(called[which] ?? '')}`, [{ v: 999, w: 'x', e: [] }])
    a.store.die()
    c.store.die()
    await pass(8 * leaseMs, b)
    expect(entered).toContain(`b ${1 - which}`)
  })
})

// What a server said about running handlers again holds for calls that are taken over, and why each is run again is counted.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, type Handler, loud, turn } from '../../test/round-node.js'
import type { Ending } from '../call/ask.js'
import type { Call } from '../call/call.js'
import { StoreUnavailableError } from '../store/index.js'
import { memoryStore } from '../store/memory-store.js'
import { Telemetry } from '../telemetry/telemetry.js'
import { type MortalStore, mortalStore } from '../test/mortal-store.js'
import type { AskPresenter, ReplayCause, RunnerLimits } from './call-request.js'
import type { RunnerOptions } from './runner.js'

const leaseMs = 3_000
const timeoutMs = 3_600_000

type Rules = Partial<Pick<RunnerOptions<unknown>, 'replay' | 'onDeploy' | 'version' | 'resume'>> & {
  readonly limits?: Partial<RunnerLimits>
}

/** What is counted of handlers that are entered again. */
class Replays extends Telemetry {
  readonly causes: string[] = []
  override replayed(cause: ReplayCause): void {
    this.causes.push(cause)
  }
}

/** Processes that share a store, each with rules of its own. */
function createCluster(handlers: readonly [Handler, Handler], rules: readonly [Rules, Rules] = [{}, {}]) {
  const clock = new FakeClock()
  const shared = memoryStore({ clock })
  const nodeOf = (handler: Handler, own: Rules) => {
    const store: MortalStore = mortalStore(shared)
    const telemetry = new Replays()
    return { ...createNode(handler, { store, clock, leaseMs, telemetry, ...own }), store, causes: telemetry.causes }
  }
  const [a, b] = [nodeOf(handlers[0], rules[0]), nodeOf(handlers[1], rules[1])]
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      clock.advance(100)
      await turn()
    }
  }
  return { a, b, pass, shared }
}

type Durable = 'tasks' | 'desk'

const askOn = (call: Call<unknown>, wire: Durable) =>
  call.ask({ kind: 'confirm', message: 'Sure?' }, { timeoutMs, wire })

/** The same handler on both, which makes its call durable; and where it was entered. */
function durable(wire: Durable) {
  const entered: string[] = []
  let id = ''
  const on =
    (node: string): Handler =>
    call => {
      entered.push(node)
      id = call.id
      if (wire === 'tasks') call.becomeTask()
      return askOn(call, wire)
    }
  const handlers = [on('a'), on('b')] as const
  return { handlers, entered, id: () => id }
}

describe.each(['tasks', 'desk'] as const)('a call with asks over %s whose process is gone', wire => {
  /** One process begins it and dies; the other is there, with these rules. */
  async function takenOver(rules: Rules) {
    const { handlers, entered, id } = durable(wire)
    const { a, b, pass, shared } = createCluster(handlers, [{}, rules])
    void a.send().catch(() => {})
    await b.nodes.join()
    await pass(1_000)
    a.store.die()
    await pass(3 * leaseMs)
    const state = await b.runner.durable.look(id())
    const owned = await shared.range(`calls of ${b.nodes.id}`, { limit: 10 })
    return { state, entered, owned, causes: b.causes }
  }

  it.each([
    {
      rules: { replay: 'never' },
      reason: 'the process that ran it is gone, and its handler cannot be replayed',
    },
    { rules: { onDeploy: 'fail', version: '2' }, reason: 'it was begun by version 1 of this server' },
  ] as const)('ends with an error, and its handler is not entered: $rules', async ({ rules, reason }) => {
    const { state, entered, owned, causes } = await takenOver(rules)
    expect(state?.end).toEqual({ error: { code: -32603, message: `The call cannot go on: ${reason}.` } })
    expect(entered).toEqual(['a'])
    expect(owned).toEqual([])
    expect(causes).toEqual([])
  })

  it.each([{}, { onDeploy: 'replay', version: '2' }, { onDeploy: 'fail', version: '1' }] as const)(
    'is run again where nothing forbids it: %j',
    async rules => {
      const { state, entered, owned, causes } = await takenOver(rules)
      expect(state).toMatchObject({ open: [{ wire }], end: undefined })
      expect(entered).toEqual(['a', 'b'])
      expect(owned).toHaveLength(1)
      expect(causes).toEqual(['process-gone'])
    },
  )
})

describe('R3: why a call was taken over is counted', () => {
  it('process-gone, for a process that died; once', async () => {
    const { handlers, entered, id } = durable('tasks')
    const { a, b, pass } = createCluster(handlers)
    void a.send().catch(() => {})
    await b.nodes.join()
    await pass(1_000)
    a.store.die()
    await pass(3 * leaseMs)
    for (let looks = 0; looks < 3; looks++) await b.runner.durable.look(id())
    await pass(leaseMs)
    expect(entered).toEqual(['a', 'b'])
    expect([a.causes, b.causes]).toEqual([[], ['process-gone']])
  })

  it('evicted, for one that was let go to stay within bounds, and is answered', async () => {
    const { handlers, entered } = durable('tasks')
    const ids: string[] = []
    const noting: Handler = call => {
      ids.push(call.id)
      return handlers[0](call)
    }
    const { a, b, pass } = createCluster([noting, handlers[1]], [{ limits: { suspended: 1 } }, {}])
    void a.send().catch(() => {})
    await pass(200)
    void a.send().catch(() => {})
    await pass(200)
    const [first = ''] = ids
    expect(a.runner.durable.find(first)).toBeUndefined()
    await b.nodes.join()
    await b.runner.durable.answer(first, () => ({ kind: 'outcome', outcome: { action: 'decline' } }))
    await pass(200)
    expect(entered).toEqual(['a', 'a', 'a'])
    expect([a.causes, b.causes]).toEqual([['evicted'], []])
  })

  it('evicted, for one that was let go and is answered on the desk', async () => {
    let settle: ((ending: Ending) => void) | undefined
    const presenter: AskPresenter = {
      link: async () => '',
      open: () => new Promise(resolve => (settle ??= resolve)),
      withdraw() {},
      report() {},
    }
    const { handlers, id } = durable('desk')
    const resume: Rules['resume'] = () => ({ start: handlers[1], presenter: () => presenter })
    const { a, b, pass } = createCluster(handlers, [{}, { limits: { suspended: 1 }, resume }])
    void a.send().catch(() => {})
    await b.nodes.join()
    await pass(1_000)
    const first = id()
    a.store.die()
    await pass(3 * leaseMs)
    void b.send().catch(() => {})
    await pass(200)
    expect(b.runner.durable.find(first)).toBeUndefined()
    settle?.({ kind: 'outcome', outcome: { action: 'decline' } })
    await pass(200)
    expect(b.causes).toEqual(['process-gone', 'evicted'])
  })

  it('unknown-write, for one whose store was away in the middle of a step', async () => {
    let id = ''
    let isFirst = true
    const handler: Handler = async call => {
      id = call.id
      call.becomeTask()
      return call.step('one', () => {
        a.store.isAway = isFirst
        isFirst = false
        return 'done'
      })
    }
    const { a, pass } = createCluster([handler, handler])
    void a
      .send()
      .catch(() => {})
      .catch(() => {})
    await pass(200)
    expect(a.store.isAway).toBe(true)
    a.store.isAway = false
    await pass(2 * leaseMs)
    expect(await a.runner.durable.look(id)).toMatchObject({ end: { result: { value: 'done' } } })
    expect(a.causes).toEqual(['unknown-write'])
  })

  it('unknown-write, for one that its process gave up although it lives', async () => {
    const ids: string[] = []
    const busy: Handler = call => {
      ids.push(call.id)
      call.becomeTask()
      return new Promise(() => {})
    }
    const { a, b, pass } = createCluster([busy, busy], [{ limits: { suspended: 1 } }, {}])
    void a.send().catch(() => {})
    await pass(200)
    void a.send().catch(() => {})
    await pass(200)
    const [first = ''] = ids
    await b.runner.durable.look(first)
    await pass(200)
    expect(ids).toEqual([first, ids[1], first])
    expect([a.causes, b.causes]).toEqual([[], ['unknown-write']])
  })
})

describe('R3: why a round was replayed is counted', () => {
  const asking: Handler = call => ask(call, 'a', { timeoutMs })
  /** Its first run never comes to an end. */
  const firstStuck = (): Handler => {
    let answered = 0
    return async call => {
      const answer = await asking(call)
      return ++answered === 1 ? new Promise(() => {}) : answer
    }
  }

  it('other-process, for the next round that reached another one', async () => {
    const { a, b } = createCluster([asking, asking])
    expect(await b.send(loud(await a.send()))).toEqual({ kind: 'finished', result: 'A' })
    expect([a.causes, b.causes]).toEqual([[], ['other-process']])
  })

  it('evicted, for one that was let go to stay within bounds', async () => {
    const { a } = createCluster([asking, asking], [{ limits: { suspended: 1 } }, {}])
    const answer = loud(await a.send())
    await a.send()
    expect(await a.send(answer)).toEqual({ kind: 'finished', result: 'A' })
    expect(a.causes).toEqual(['evicted'])
  })

  it('cancelled, for one whose client cancelled the round before', async () => {
    const { a } = createCluster([firstStuck(), asking])
    const answer = loud(await a.send())
    const leaves = new AbortController()
    const cancelled = a.send({ ...answer, signal: leaves.signal })
    await turn()
    leaves.abort()
    expect(await cancelled).toMatchObject({ kind: 'failed', error: { kind: 'CallCancelled' } })
    expect(await a.send(answer)).toEqual({ kind: 'finished', result: 'A' })
    expect(a.causes).toEqual(['cancelled'])
  })

  it('always, where that is what was said', async () => {
    const { a } = createCluster([asking, asking], [{ replay: 'always' }, {}])
    expect(await a.send(loud(await a.send()))).toEqual({ kind: 'finished', result: 'A' })
    expect(a.causes).toEqual(['always'])
  })

  it('process-gone, for one whose process died at it', async () => {
    const { a, b, pass } = createCluster([firstStuck(), asking])
    const answer = loud(await a.send())
    void a.send(answer).catch(() => {})
    await b.nodes.join()
    await pass(1_000)
    a.store.die()
    const reply = b.send(answer)
    await pass(3 * leaseMs)
    expect(await reply).toEqual({ kind: 'finished', result: 'A' })
    expect(b.causes).toEqual(['process-gone'])
  })

  it.each(['a', 'b'] as const)('unknown-write, for one whose process does not know what it wrote: on %s', async on => {
    const nodes = createCluster([asking, asking])
    const { a, pass } = nodes
    const answer = loud(await a.send())
    const { append } = a.store
    a.store.append = async (...line) => {
      a.store.append = append
      await append(...line)
      a.store.isAway = true
      throw new StoreUnavailableError('The store', undefined)
    }
    await expect(a.send(answer)).rejects.toThrow(StoreUnavailableError)
    a.store.isAway = false
    const reply = nodes[on].send(answer)
    await pass(3 * leaseMs)
    expect(await reply).toEqual({ kind: 'finished', result: 'A' })
    expect(nodes[on].causes).toEqual(['unknown-write'])
  })
})

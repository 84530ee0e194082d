// A request that finds the name of a call whose log is not there yet.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { createNode, type Handler, turn } from '../../test/round-node.js'
import type { Ending } from '../call/ask.js'
import { deferred } from '../runtime/deferred.js'
import { memoryStore } from '../store/memory-store.js'
import { type MortalStore, mortalStore } from '../test/mortal-store.js'

const leaseMs = 3_000

/** Processes with one store, and one desk that keeps outcomes by the ids of asks. */
function cluster(names: string[], handlerOf: (name: string) => Handler, options = {}) {
  const shared = memoryStore({ clock: { now: () => 0 } })
  const outcomes = new Map<string, ReturnType<typeof deferred<Ending>>>()
  const shown: string[] = []
  const withdrawn: string[] = []
  const outcomeOf = (id: string) => {
    const known = outcomes.get(id) ?? deferred<Ending>()
    outcomes.set(id, known)
    return known
  }
  const nodes = names.map(name => {
    const store: MortalStore = mortalStore(shared)
    return createNode(handlerOf(name), {
      store,
      clock: new FakeClock(),
      leaseMs,
      presenter: {
        link: async () => 'https://desk.example/',
        open: ({ id }) => {
          if (!shown.includes(id)) shown.push(id)
          return outcomeOf(id).promise
        },
        withdraw: ({ id }) => void withdrawn.push(id),
        report() {},
      },
      ...options,
    })
  })
  const pass = async (ms: number, ...who: (typeof nodes)[0][]) => {
    for (let left = ms; left > 0; left -= 100) {
      for (const { clock } of who) clock.advance(100)
      await turn()
    }
  }
  const say = (id: string) =>
    outcomeOf(id).resolve({ kind: 'outcome', outcome: { action: 'accept', content: {} } } as never)
  return { nodes: nodes as [(typeof nodes)[0], (typeof nodes)[0]], pass, shared, shown, withdrawn, say }
}

const askDesk = (call: Parameters<Handler>[0], timeoutMs = 3_600_000) =>
  call.ask({ kind: 'confirm', message: 'Sure?' }, { timeoutMs, wire: 'desk' })

describe('two nodes and a desk', () => {
  it.each([false, true])(
    'the same request at another node, while a call begins, neither doubles nor loses it (dies: %s)',
    async dies => {
      const ran: string[] = []
      const { nodes, pass } = cluster(['a', 'b'], name => async call => {
        ran.push(`${name} ${call.id}`)
        await askDesk(call)
        return call.id
      })
      const [a, b] = nodes
      await Promise.all([a.nodes.join(), b.nodes.join()])
      await pass(1_000, a, b)
      // The log of the call is a little slower than its name.
      const { append } = a.store
      let goOn = () => {}
      a.store.append = async (log, entries, ...rest) => {
        if (JSON.stringify(entries).includes('begun')) await new Promise<void>(resolve => (goOn = resolve))
        return append(log, entries, ...rest)
      }
      const request = { canRepeat: true, principal: 'ana', waitMs: 5_000 }
      void a.send(request).catch(error => error.message)
      await pass(200, a, b)
      void b.send(request).catch(error => error.message)
      await pass(200, a, b)
      goOn()
      await pass(6_000, a, b)
      if (dies) {
        ;(a.store as MortalStore).die()
        await pass(4 * leaseMs, b)
        const logs = await Promise.all(
          [...new Set(ran.map(r => r.split(' ')[1] ?? ''))].map(id => b.runner.durable.look(id)),
        )
        expect(logs.map(log => log?.end)).not.toContain('cancelled')
      }
      expect(new Set(ran.map(r => r.split(' ')[1])).size).toBe(1)
    },
  )
})

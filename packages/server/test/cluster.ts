import { memoryStore } from '../src/store/memory-store.js'
import { type MortalStore, mortalStore } from '../src/test/mortal-store.js'
import { FakeClock } from './fake-clock.js'
import { createNode, type Handler, type NodeOptions, turn } from './round-node.js'

export const leaseMs = 3_000

export interface ClusterNode extends ReturnType<typeof createNode> {
  readonly store: MortalStore
}

/** Processes with one store, each with a clock of its own: time passes for some while the others stand still. */
export function createCluster(names: string[], handlerOf: (name: string) => Handler, options: NodeOptions = {}) {
  const shared = memoryStore({ clock: { now: () => 0 } })
  const nodes = names.map((name): ClusterNode => {
    const store = mortalStore(shared)
    return { ...createNode(handlerOf(name), { leaseMs, ...options, store, clock: new FakeClock() }), store }
  })
  const pass = async (ms: number, ...who: ClusterNode[]) => {
    for (let left = ms; left > 0; left -= 100) {
      for (const { clock } of who) clock.advance(100)
      await turn()
    }
  }
  return { nodes: nodes as [ClusterNode, ClusterNode, ClusterNode], pass, shared }
}

/** Asks something that a task shows. */
export function askOnTask(call: Parameters<Handler>[0], message: string, timeoutMs = 3_600_000) {
  const form = { kind: 'form', message, form: { type: 'object', properties: {} } } as const
  return call.ask(form, { timeoutMs, wire: 'tasks' })
}

/** Closes a process as a server does. */
export async function close({ runner, nodes }: ClusterNode): Promise<void> {
  runner.close()
  await nodes.close()
}

import type { CallState } from '../src/log/reduce.js'
import { tasksExtension } from '../src/protocol/capabilities.js'
import { memoryStore } from '../src/store/memory-store.js'
import { mortalStore } from '../src/test/mortal-store.js'
import { Tasks } from '../src/wires/tasks.js'
import { FakeClock } from './fake-clock.js'
import { createNode, type Handler, turn } from './round-node.js'

export const leaseMs = 3_000
const capabilities = { extensions: { [tasksExtension]: {} } }

/** A task as its client sees it. */
interface TaskView {
  readonly status: string
  readonly result?: CallState['end']
  readonly inputRequests?: Record<string, unknown>
}

/** Two processes on one store, each with a handler and a clock of its own. */
export function twoNodes(handlers: readonly [Handler, Handler]) {
  const shared = memoryStore({ clock: { now: () => 0 } })
  const nodeOf = (handler: Handler) => {
    const store = mortalStore(shared)
    const node = createNode(handler, { store, clock: new FakeClock(), leaseMs })
    const tasks = new Tasks(node.runner.durable, node.clock)
    const about = (
      taskId: string,
      method: 'tasks/get' | 'tasks/update' | 'tasks/cancel',
      inputResponses?: Record<string, unknown>,
    ) => tasks.answer({ method, params: { taskId }, capabilities, principal: undefined, inputResponses })
    return {
      ...node,
      die: () => store.die(),
      get: async (id: string) => (await about(id, 'tasks/get')) as unknown as TaskView,
      update: (id: string, responses: Record<string, unknown>) => about(id, 'tasks/update', responses),
      cancel: (id: string) => about(id, 'tasks/cancel'),
      watch: (taskId: string, tell: (task: unknown) => void) =>
        tasks.watch({ taskId, principal: undefined, capabilities }, tell),
    }
  }
  const [a, b] = [nodeOf(handlers[0]), nodeOf(handlers[1])]
  /** Lets time pass for some of them: the others stand still. */
  const pass = async (ms: number, ...nodes: readonly { clock: FakeClock }[]) => {
    for (let left = ms; left > 0; left -= 100) {
      for (const { clock } of nodes) clock.advance(100)
      await turn()
    }
  }
  return { a, b, pass }
}

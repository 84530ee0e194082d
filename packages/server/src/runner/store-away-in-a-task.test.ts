// runner/attempt.ts: "A store that was away has ended nothing: once it is back, the call is run again from its log."
import { expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { createNode, type Handler, turn } from '../../test/round-node.js'
import { memoryStore } from '../store/memory-store.js'
import { tooContended } from '../store/store-unavailable.js'
import { mortalStore } from '../test/mortal-store.js'

it('runs a task again whose step found a value that too many changed at once', async () => {
  let id = ''
  let tries = 0
  const handler: Handler = async call => {
    id = call.id
    call.becomeTask()
    return call.step('count', () => {
      // As `ctx.store.update` throws it, of a store that is there.
      if (++tries === 1) throw tooContended('stock', 10)
      return 'counted'
    })
  }
  const store = mortalStore(memoryStore({ clock: { now: () => 0 } }))
  const { send, runner, clock } = createNode(handler, { store, clock: new FakeClock() })
  void send().catch(() => {})
  for (let each = 0; each < 50; each++) {
    clock.advance(100)
    await turn()
  }
  expect(await runner.durable.look(id)).toMatchObject({ end: { result: { value: 'counted' } } })
})

// A process that stood still for longer than its lease: others have taken its calls, and it does not know yet.
import { describe, expect, it } from 'vitest'
import { ask, type Handler, loud } from '../../test/round-node.js'
import { leaseMs, twoNodes } from '../../test/two-nodes.js'
import { replyOf } from '../call/ask.js'
import type { Call } from '../call/call.js'

const accepted = { action: 'accept', content: {} }
const hour = 3_600_000

/** The same handler for both, which is told where it runs. */
const onBoth = (handler: (call: Call<unknown>, node: 'a' | 'b') => Promise<unknown>): [Handler, Handler] => [
  call => handler(call, 'a'),
  call => handler(call, 'b'),
]

async function askAsTask(call: Call<unknown>, message: string, timeoutMs: number) {
  return replyOf(await call.ask({ kind: 'confirm', message }, { timeoutMs, wire: 'tasks' }), message)
}

describe('a process that is back', () => {
  it('R5: runs no step of a task that another has taken over and ended', async () => {
    const ran: string[] = []
    const goOn: (() => void)[] = []
    let id = ''
    const { a, b, pass } = twoNodes(
      onBoth(async (call, node) => {
        id = call.id
        call.becomeTask()
        // Something slow that is no step, such as a download.
        await new Promise<void>(resolve => goOn.push(resolve))
        return call.step('pay', () => {
          ran.push(node)
          return node
        })
      }),
    )
    void a.send().catch(() => {})
    await b.nodes.join()
    await pass(2_000, a, b)
    await pass(3 * leaseMs, b)
    expect(goOn).toHaveLength(2)
    goOn[1]?.()
    await pass(200, b)
    expect(await b.runner.durable.look(id)).toMatchObject({ end: { result: { value: 'b' } } })
    // Its heartbeat comes first, then its download is done.
    a.clock.jump(3 * leaseMs)
    await pass(3_000, a, b)
    goOn[0]?.()
    await pass(1_000, a, b)
    expect(ran).toEqual(['b'])
  })

  it('R5: runs no step of a round that another has taken and replied to', async () => {
    const ran: string[] = []
    const goOn: (() => void)[] = []
    const { a, b, pass } = twoNodes(
      onBoth(async (call, node) => {
        await ask(call, 'Pay?', { timeoutMs: hour })
        await new Promise<void>(resolve => goOn.push(resolve))
        return call.step('pay', () => {
          ran.push(node)
          return node
        })
      }),
    )
    const answer = loud(await a.send())
    const onA = a.send(answer).catch(error => error)
    await b.nodes.join()
    await pass(2_000, a, b)
    const onB = b.send(answer)
    await pass(3 * leaseMs, b)
    expect(goOn).toHaveLength(2)
    goOn[1]?.()
    await pass(200, b)
    expect(await onB).toEqual({ kind: 'finished', result: 'b' })
    a.clock.jump(3 * leaseMs)
    await pass(3_000, a, b)
    goOn[0]?.()
    await pass(1_000, a, b)
    expect(await onA).toEqual({ kind: 'finished', result: 'b' })
    expect(ran).toEqual(['b'])
  })

  it('R4: says of no answer that it was taken which the log does not have', async () => {
    let id = ''
    const { a, b, pass } = twoNodes(
      onBoth(async (call, node) => {
        id = call.id
        call.becomeTask()
        if (node === 'a') await new Promise(() => {})
        return askAsTask(call, 'Pay?', hour)
      }),
    )
    void a.send().catch(() => {})
    await b.nodes.join()
    await pass(2_000, a, b)
    await pass(3 * leaseMs, b)
    const asked = await b.get(id)
    expect(asked.status).toBe('input_required')
    const [key = ''] = Object.keys(asked.inputRequests ?? {})
    a.clock.jump(3 * leaseMs)
    await pass(3_000, a, b)
    expect(a.nodes.isFresh).toBe(true)
    // The client's next request happens to reach the process that knows of no such ask.
    expect(await a.update(id, { [key]: accepted })).toEqual({ resultType: 'complete' })
    await pass(5_000, a, b)
    expect(await b.get(id)).toMatchObject({ status: 'completed' })
  })
})

describe('a task whose process is gone', () => {
  it('takes no answer for an ask whose time is over', async () => {
    let id = ''
    const { a, b, pass } = twoNodes(
      onBoth(async call => {
        id = call.id
        call.becomeTask()
        return askAsTask(call, 'Pay?', 5_000).catch((error: Error) => error.name)
      }),
    )
    void a.send().catch(() => {})
    await b.nodes.join()
    await pass(2_000, a, b)
    const [key = ''] = Object.keys((await a.get(id)).inputRequests ?? {})
    a.die()
    b.clock.jump(hour)
    await b.update(id, { [key]: accepted })
    await pass(4 * leaseMs, b)
    expect(await b.get(id)).toMatchObject({ status: 'completed', result: { value: 'AskExpiredError' } })
  })
})

describe('a task that runs elsewhere', () => {
  it('is told of once for each change', async () => {
    let id = ''
    const { a, b, pass } = twoNodes(
      onBoth(async call => {
        id = call.id
        call.becomeTask()
        return askAsTask(call, 'Pay?', hour)
      }),
    )
    void a.send().catch(() => {})
    await b.nodes.join()
    await pass(1_000, a, b)
    const told: unknown[] = []
    const stop = await b.watch(id, task => told.push(task))
    await pass(60_000, a, b)
    stop?.()
    expect(told.length).toBeLessThanOrEqual(1)
  })
})

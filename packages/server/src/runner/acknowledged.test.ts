// That an answer was taken is only said where a write would have been possible: a former primary still answers reads, and what it
// has may not be what counts.
import { describe, expect, it } from 'vitest'
import type { Handler } from '../../test/round-node.js'
import { leaseMs, twoNodes } from '../../test/two-nodes.js'
import { StoreUnavailableError } from '../store/index.js'

const timeoutMs = 3_600_000
const accepted = { action: 'accept', content: {} }

describe.each(['a', 'b'] as const)('R4: an answer sent again for an ask that was answered, to process %s', on => {
  /** A task with two asks, of which the first was answered; one process runs it. */
  async function answeredOnce() {
    let id = ''
    const handler: Handler = call => {
      id = call.id
      call.becomeTask()
      const asks = ['first', 'second'].map(message =>
        call.ask({ kind: 'confirm', message }, { timeoutMs, wire: 'tasks', key: message }),
      )
      return Promise.all(asks)
    }
    const nodes = twoNodes([handler, handler])
    const { a, b, pass } = nodes
    void a.send()
    await Promise.all([a.nodes.join(), b.nodes.join()])
    await pass(leaseMs / 3, a, b)
    const again = () => nodes[on].update(id, { first: accepted })
    await again()
    await pass(leaseMs / 3, a, b)
    expect(Object.keys((await b.get(id)).inputRequests ?? {})).toEqual(['second'])
    return { again, store: nodes[on].store, get: () => nodes[on].get(id) }
  }

  it('is acknowledged where the store can be written to', async () => {
    const { again } = await answeredOnce()
    expect(await again()).toEqual({ resultType: 'complete' })
  })

  it('is not acknowledged where the store can only be read', async () => {
    const { again, store, get } = await answeredOnce()
    const { append } = store
    store.append = () => Promise.reject(new StoreUnavailableError('The store', undefined))
    await expect(again()).rejects.toMatchObject({ code: -32603, data: { kind: 'StoreUnavailable' } })
    // It can still be read.
    expect((await get()).status).toBe('input_required')
    store.append = append
    expect(await again()).toEqual({ resultType: 'complete' })
  })
})

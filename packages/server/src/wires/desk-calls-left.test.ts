import { expect, it, vi } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import type { DetachedCalls } from '../calls/detached/detached-calls.js'
import type { Incoming } from '../protocol/incoming.js'
import { memoryStore } from '../store/index.js'
import { DeskCalls } from './desk-calls.js'

/** A call that another process runs, and a request for it whose client leaves while the store is read. */
async function setUp(whenGone: 'keep' | 'cancel') {
  const clock = new FakeClock()
  const store = memoryStore({ clock })
  const client = new AbortController()
  const cancel = vi.fn(async () => {})
  const calls = {
    look: async () => {
      client.abort()
      return { open: [{}], link: 'https://desk.example' }
    },
    running: () => undefined,
    watch: () => () => {},
    cancel,
  }
  const options = { server: 's', store, clock, ttlMs: 1_000_000, max: 10, whenGone, encodeEnd: () => 'cancelled' }
  const desk = new DeskCalls({ ...options, calls: calls as never as DetachedCalls<unknown> } as never)
  vi.spyOn(store, 'get').mockResolvedValue({ value: 'call', version: 'v' } as never)
  const notify = vi.fn()
  const incoming = { principal: 'ann', signal: client.signal, progressToken: 1, notify } as never as Incoming
  const request = { target: {} as never, handle: undefined }
  const begin = () => {
    throw new Error('Nothing begins here.')
  }
  return { clock, cancel, notify, reply: desk.answer(incoming, request, 60_000, begin) }
}

it('cancels the call of a client that left while it was looked up, and beats no more', async () => {
  const { clock, cancel, notify, reply } = await setUp('cancel')
  await expect(reply).rejects.toThrow('The client cancelled the call or went away.')
  expect(cancel).toHaveBeenCalledExactlyOnceWith('call')
  expect(clock.pending).toBe(0)
  clock.advance(60_000)
  expect(notify).not.toHaveBeenCalled()
})

it('keeps the call of a client that left while it was looked up, where calls are kept', async () => {
  const { clock, cancel, reply } = await setUp('keep')
  await expect(reply).rejects.toThrow('The person can still answer')
  expect(cancel).not.toHaveBeenCalled()
  expect(clock.pending).toBe(0)
})

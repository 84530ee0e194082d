import { describe, expect, it, vi } from 'vitest'
import { countedStore } from '../../test/counted-store.js'
import type { OpenAsk } from '../call/ask.js'
import { systemClock } from '../runtime/clock.js'
import { createRelay } from './relay.js'

// A busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 })

const many = 5_000
const handleIn = (result: unknown): string => /"handle\W+([\w-]{12})/.exec(JSON.stringify(result))?.[1] ?? ''

describe('handles that nobody brings back', () => {
  it('stay within bounds, and the newest are good', async () => {
    const store = countedStore()
    const relay = createRelay(systemClock, { store, maxHandles: 1_000, maxBytes: 1e9, retainMs: 0 })
    const issue = (principal?: string) => relay.waiting({ state: 'sealed', tool: 't', principal })
    const ofAnn = handleIn(await issue('ann'))
    const first = handleIn(await issue())
    for (let nth = 0; nth < many; nth++) await issue()
    const last = handleIn(await issue())
    expect(store.keys.size).toBe(1_001)
    await expect(relay.redeem({ handle: first })).rejects.toMatchObject({ code: -32602 })
    for (const handle of [last, ofAnn]) expect(await relay.redeem({ handle })).toMatchObject({ state: 'sealed' })
    expect(store.keys.size).toBe(999)
    await expect(relay.redeem({ handle: last })).rejects.toMatchObject({ code: -32602 })
  })

  it.each([undefined, null, 5, {}, 'relay/x', ['__proto__'], '__proto__', '../x'])(
    'are not made up: %j',
    async handle => {
      const relay = createRelay(systemClock, { store: countedStore(), maxHandles: 10, maxBytes: 1e9, retainMs: 0 })
      await expect(relay.redeem({ handle })).rejects.toMatchObject({ code: -32602 })
      await expect(relay.redeem(handle)).rejects.toMatchObject({ code: -32602 })
    },
  )
})

it('is nobody’s answer, whatever a model says of whose it is', async () => {
  const relay = createRelay(systemClock, { store: countedStore(), maxHandles: 10, maxBytes: 1e6, retainMs: 0 })
  const ask = { kind: 'confirm', message: 'Sure?' } as const
  const open = { id: 'a', ask, wire: 'rounds', expiresAt: Date.now() + 60_000 } as unknown as OpenAsk
  const words = await relay.result([open], { state: 'sealed', tool: 't', principal: undefined })
  const redeemed = await relay.redeem({ handle: handleIn(words), answer: { 'beckon/by': ['Alice'] } })
  expect(redeemed.readReply('confirm', 'a')).toEqual({ kind: 'outcome', outcome: { action: 'accept', content: {} } })
})

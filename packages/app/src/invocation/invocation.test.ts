import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../test/manual-clock.js'
import { ActionTimeoutError } from '../errors.js'
import { Invocation } from './invocation.js'

type Stretch = { readonly who: 'handler' | 'person'; readonly ms: number }

const stretches = fc.array(
  fc.record({ who: fc.constantFrom<Stretch['who']>('handler', 'person'), ms: fc.integer({ min: 1, max: 1_000_000 }) }),
)

describe('an invocation', () => {
  it('runs out of its own time, however much time people take in between', async () => {
    await fc.assert(
      fc.asyncProperty(stretches, fc.integer({ min: 1, max: 2_000_000 }), async (parts, timeoutMs) => {
        const clock = new ManualClock()
        const invocation = new Invocation('i', action(timeoutMs), clock)
        const ended = invocation.run(async () => {
          for (const { who, ms } of parts) {
            if (who === 'handler') clock.advance(ms)
            else await invocation.ask(async () => clock.advance(ms))
            if (invocation.signal.aborted) return
          }
        })
        const own = parts.filter(({ who }) => who === 'handler').reduce((sum, { ms }) => sum + ms, 0)
        if (own >= timeoutMs) await expect(ended).rejects.toBeInstanceOf(ActionTimeoutError)
        else await expect(ended).resolves.toBeUndefined()
      }),
    )
  })

  it('stands still until the last of several asks is answered', async () => {
    const clock = new ManualClock()
    const invocation = new Invocation('i', action(100), clock)
    const [first, second] = [deferred(), deferred()]
    const ended = invocation.run(() =>
      Promise.all([invocation.ask(() => first.promise), invocation.ask(() => second.promise)]),
    )
    clock.advance(1_000)
    first.resolve()
    await settle()
    clock.advance(1_000)
    expect(invocation.signal.aborted).toBe(false)
    second.resolve()
    await expect(ended).resolves.toBeDefined()
  })

  it('is not ended by what comes after its result', async () => {
    const clock = new ManualClock()
    const invocation = new Invocation('i', action(100), clock)
    await expect(invocation.run(async () => 'done')).resolves.toBe('done')
    clock.advance(1_000)
    invocation.abort(new Error('cancelled'))
    expect(invocation.signal.aborted).toBe(false)
    expect(invocation.isOver).toBe(true)
  })

  it('does not wait for a handler that does not notice its end', async () => {
    const invocation = new Invocation('i', action(100), new ManualClock())
    const ended = invocation.run(() => never)
    invocation.abort(new Error('cancelled'))
    await expect(ended).rejects.toThrow('cancelled')
  })
})

const action = (timeoutMs: number) => ({ announced: { name: 'act', timeoutMs } })

const never = new Promise<never>(() => {})

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>(settled => {
    resolve = settled
  })
  return { promise, resolve: () => resolve() }
}

async function settle(): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
}

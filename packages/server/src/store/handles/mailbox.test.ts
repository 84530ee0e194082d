import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../test/fake-clock.js'
import { memoryStore } from '../memory-store.js'
import type { Store } from '../store.js'
import { Mailbox, MailboxFullError, type MailboxOptions } from './mailbox.js'

function open(store: Store, options: Partial<MailboxOptions> = {}): Mailbox<unknown> {
  return new Mailbox({ store, name: 'box', clock: { now: () => Date.now() }, keepMs: 60_000, ...options })
}

async function taken(box: Mailbox<unknown>): Promise<unknown[]> {
  const messages: unknown[] = []
  await box.take(message => messages.push(message))
  return messages
}

describe('a mailbox', () => {
  it('M1: has what was sent before anyone read, in one append for all that came together', async () => {
    const store = memoryStore()
    let appends = 0
    const append: Store['append'] = (...args) => {
      appends++
      return store.append(...args)
    }
    const counted: Store = { ...store, append }
    const box = open(counted)
    await Promise.all([box.send({ a: 1 }), box.send(['b']), box.send('c')])
    expect(appends).toBe(1)
    const reader = open(store)
    expect(await taken(reader)).toEqual([{ a: 1 }, ['b'], 'c'])
    expect(await taken(reader)).toEqual([])
    expect(await store.read('box')).toEqual([])
  })

  it('M2: gives a message once whose append rejected although it was made, and whose trim failed', async () => {
    const store = memoryStore()
    let failures = 1
    const flaky: Store = {
      ...store,
      append: async (...args) => {
        const at = await store.append(...args)
        if (failures-- > 0) throw new Error('no answer')
        return at
      },
    }
    await open(flaky).send('once')
    expect(await store.read('box')).toHaveLength(2)
    let trims = 0
    const reader = open({
      ...store,
      trim: (...args) => (trims++ === 0 ? Promise.reject(new Error('away')) : store.trim(...args)),
    })
    const messages: unknown[] = []
    await expect(reader.take(message => messages.push(message))).rejects.toThrow('away')
    await reader.take(message => messages.push(message))
    expect(messages).toEqual(['once'])
  })

  it('M2: rejects what a store that is away does not take', async () => {
    const box = open({ ...memoryStore(), append: () => Promise.reject(new Error('away')) })
    await expect(box.send('x')).rejects.toThrow('away')
  })

  it('carries what is longer than a store has to take at once, and nothing without bounds', async () => {
    const store = memoryStore()
    const box = open(store)
    const long = 'ä"\n'.repeat(200_000)
    await Promise.all([box.send(long), box.send('short')])
    for (const { value } of await store.read('box')) expect(JSON.stringify(value).length).toBeLessThan(500_000)
    expect(await taken(open(store))).toEqual([long, 'short'])
    await expect(box.send('x'.repeat(17 * 1024 * 1024))).rejects.toThrow(RangeError)
  })

  it('M4: refuses what its reader has no room for, and takes more once it has read', async () => {
    const store = memoryStore()
    const box = open(store, { maxUnread: 3 })
    for (const message of ['a', 'b', 'c']) await box.send(message)
    await expect(box.send('d')).rejects.toThrow(MailboxFullError)
    const reader = open(store)
    expect(await taken(reader)).toEqual(['a', 'b', 'c'])
    await box.send('e')
    expect(await taken(reader)).toEqual(['e'])
    // Numbers go on, and are no measure of what is unread.
    const late = open(store, { maxUnread: 1 })
    await late.send('f')
    expect(await taken(reader)).toEqual(['f'])
    await late.send('g')
  })

  it('M5: is gone when nobody wrote to it for long, and begins anew', async () => {
    const clock = new FakeClock()
    const store = memoryStore({ clock })
    const box = open(store, { clock, keepMs: 1_000 })
    const reader = open(store, { clock })
    for (const message of ['a', 'b']) await box.send(message)
    expect(await taken(reader)).toEqual(['a', 'b'])
    await box.send('lost')
    clock.advance(1_000)
    await box.send('c')
    expect(await taken(reader)).toEqual(['c'])
  })

  it('M1 to M3: gives everything that was acknowledged once and in order, whatever the store loses', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('send' as const), by: fc.nat(2), length: fc.constantFrom(1, 10, 70_000) }),
      fc.record({ kind: fc.constant('take' as const) }),
    )
    const fault = fc.constantFrom('well', 'lost', 'refused')
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 30 }),
        fc.array(fault, { minLength: 1, maxLength: 20 }),
        async (steps, faults) => {
          const store = memoryStore()
          let calls = 0
          const hurt =
            <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
            async (...args: A): Promise<R> => {
              const how = faults[calls++ % faults.length]
              if (how === 'refused') throw new Error('away')
              const result = await method(...args)
              if (how === 'lost') throw new Error('no answer')
              return result
            }
          const flaky: Store = {
            ...store,
            append: hurt(store.append),
            read: hurt(store.read),
            trim: hurt(store.trim),
          }
          const senders = [open(flaky), open(store), open(flaky)]
          const reader = open(flaky)
          const acknowledged: string[] = []
          const sent: string[] = []
          const got: string[] = []
          const pending: Promise<unknown>[] = []
          for (const [index, each] of steps.entries()) {
            if (each.kind === 'take') {
              await reader.take(message => got.push(String(message))).catch(() => {})
              continue
            }
            const message = `${each.by}:${index}:${'x'.repeat(each.length)}`
            sent.push(message)
            pending.push(
              senders[each.by]?.send(message).then(
                () => acknowledged.push(message),
                () => {},
              ) ?? Promise.resolve(),
            )
          }
          await Promise.all(pending)
          // The same reader, once the store is well again.
          for (let tries = 0; tries < 50; tries++)
            await reader.take(message => got.push(String(message))).catch(() => {})
          const isWell = faults.some(how => how === 'well')
          expect(new Set(got).size).toBe(got.length)
          for (const by of ['0', '1', '2']) {
            const own = got.filter(message => message.startsWith(by))
            expect(own).toEqual(sent.filter(message => own.includes(message)))
          }
          if (isWell) expect(acknowledged.filter(message => !got.includes(message))).toEqual([])
        },
      ),
      { numRuns: 100 },
    )
  })
})

// Steps that failed, and what becomes of them later.
// R5: "A recorded step never runs again." docs/calls.md: "finished steps still finished", "the same answers sent again go on from
// where the record is", "One that threw is finished, too: a replay throws the same again".
import { AskExpiredError, BeckonError } from '@beckon/core'
import { expect, it } from 'vitest'
import { ask, createNode, loud, open } from '../../test/round-node.js'
import { createServer } from '../index.js'
import { retry } from '../middleware/retry/retry.js'
import { memoryStore } from '../store/index.js'
import { StoreUnavailableError } from '../store/store-unavailable.js'
import { createTestClient } from '../test/index.js'

const long = { timeoutMs: 3_600_000 }
const sharedStore = () => ({ ...memoryStore({ clock: { now: () => 0 } }), shared: true, close: async () => {} })

it('keeps a step that was finished when it was tried again, though it had failed in an earlier round, and the client cancels', async () => {
  const charged: string[] = []
  let isDown = true
  let isSlow = true
  let atWork = () => {}
  const isAtWork = new Promise<void>(resolve => {
    atWork = resolve
  })
  const { send } = createNode(async call => {
    const charge = () =>
      call.step('charge', ({ id }) => {
        if (isDown) throw new Error('The bank is away.')
        charged.push(id)
        return 'charged'
      })
    // As `retry` does it.
    const beginAgain = call.checkpoint()
    try {
      await charge()
    } catch (error) {
      await ask(call, 'The bank is away. Try again?', long)
      await beginAgain(error)
      await charge()
    }
    if (isSlow) {
      atWork()
      await new Promise(() => {})
    }
    return 'done'
  })
  const first = await send()
  isDown = false
  const client = new AbortController()
  const left = send({ ...loud(first), signal: client.signal }).catch(() => {})
  await isAtWork
  expect(charged).toHaveLength(1)
  client.abort()
  await left
  isSlow = false
  expect(await send(loud(first))).toEqual({ kind: 'finished', result: 'done' })
  expect(charged).toHaveLength(1)
})

it('does not charge twice where a handler that dealt with a failed step itself is tried again for something else', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  const charged: string[] = []
  let isDown = true
  let fails = 1
  server.tool('buy', retry({ delayMs: 0 }), {}, async (_input, ctx) => {
    const charge = () =>
      ctx.step('charge', ({ id }) => {
        if (isDown) {
          isDown = false
          throw new Error('The bank is away for a moment.')
        }
        charged.push(id)
        return 'charged'
      })
    await charge().catch(charge)
    if (fails-- > 0) throw new Error('The mail server is away for a moment.')
    return 'paid'
  })
  await createTestClient(server, { wire: 'push' }).callTool('buy')
  expect(charged).toHaveLength(1)
})

it('does not take from the account after the card, where the handler had taken that way before it is tried again', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  const charged: string[] = []
  let isDown = true
  let fails = 1
  server.tool('buy', retry({ delayMs: 0 }), {}, async (_input, ctx) => {
    try {
      await ctx.step('charge card', () => {
        if (isDown) throw new Error('The bank of that card is away.')
        charged.push('card')
      })
    } catch {
      await ctx.step('charge account', () => void charged.push('account'))
    }
    isDown = false
    if (fails-- > 0) throw new Error('The mail server is away for a moment.')
    return 'paid'
  })
  await createTestClient(server, { wire: 'push' }).callTool('buy')
  expect(charged).toEqual(['account'])
})

// docs/calls.md: "While the store is away, requests end with an error that says so (-32603, `data.kind` is `StoreUnavailable`), nothing is
// acknowledged that was not written, and the same answers sent again go on from where the record is."
it('goes on once the store is back, with a step that had found it away', async () => {
  const values = sharedStore()
  let isAway = true
  const { send } = createNode(
    async call => {
      await ask(call, 'Book it?', long)
      return call.step('look up', async () => {
        if (isAway) throw new StoreUnavailableError('The store', undefined)
        return 'booked'
      })
    },
    { store: values },
  )
  const first = await send()
  expect(await send(loud(first))).toMatchObject({ kind: 'failed' })
  isAway = false
  expect(await send(loud(first))).toEqual({ kind: 'finished', result: 'booked' })
})

it('throws an error of ours as one of ours in a replay too, by which a handler tells them apart', async () => {
  const store = sharedStore()
  const seen: boolean[] = []
  const make = () =>
    createNode(
      async call => {
        try {
          await call.step('ask elsewhere', () => {
            throw new AskExpiredError('Which?')
          })
        } catch (error) {
          seen.push(error instanceof BeckonError && error.kind === 'AskExpired')
        }
        await ask(call, 'Go on?', long)
        return 'done'
      },
      { store },
    )
  const [one, two] = [make(), make()]
  await two.send(loud(await one.send()))
  expect(seen).toEqual([true, true])
})

it('gives the handler its own error, whatever its message is', async () => {
  const odd = Object.assign(new Error('x'), { message: { reason: 'declined' } })
  const { send } = createNode(async call => {
    try {
      await call.step('charge', () => {
        throw odd
      })
    } catch (error) {
      return error === odd
    }
    return 'not thrown'
  })
  expect(await send()).toEqual({ kind: 'finished', result: true })
})

it('throws something of a value in a replay that is large', async () => {
  const store = sharedStore()
  const make = () =>
    createNode(
      async call => {
        let code: unknown
        try {
          await call.step('charge', () => {
            throw { code: 'declined', page: 'x'.repeat(3_000) }
          })
        } catch (error) {
          code = (error as { code?: string }).code
        }
        await ask(call, 'Go on?', long)
        return code
      },
      { store },
    )
  const [one, two] = [make(), make()]
  expect(await two.send(loud(await one.send()))).toEqual({ kind: 'finished', result: 'declined' })
})

it('has what a handler does to what a step threw change nothing but its own copy', async () => {
  const { send } = createNode(
    async call => {
      if (call.target.name === 'other') return ask(call, 'Other?', long)
      let reasons: string[] = []
      try {
        await call.step('charge', () => {
          throw { reasons: ['one', 'two'] }
        })
      } catch (error) {
        reasons = (error as { reasons: string[] }).reasons
      }
      const last = reasons.pop()
      await ask(call, 'Go on?', long)
      await ask(call, 'Really?', long)
      return last
    },
    { replay: 'always' },
  )
  const second = await send(loud(await send()))
  expect(open(second).messages).toEqual(['Really?'])
  expect(await send(loud(second))).toEqual({ kind: 'finished', result: 'two' })
})

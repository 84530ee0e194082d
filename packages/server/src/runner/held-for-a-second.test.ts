// The second of patience where nothing is missing.
// docs/calls.md: "A client that goes away in the middle cancels: ... the same answers go through it anew, with finished steps still
// finished." "What the handler came to before, and does not come to again within a second, is not waited for."
import { expect, it } from 'vitest'
import { ask, createNode, loud } from '../../test/round-node.js'

const long = { timeoutMs: 3_600_000 }

it.each([1, 2])('is not waited out where a client cancelled a round of %s answers after a step', async count => {
  let isSlow = true
  let atWork = () => {}
  const isAtWork = new Promise<void>(resolve => {
    atWork = resolve
  })
  const { send } = createNode(async call => {
    await Promise.all(Array.from({ length: count }, (_, index) => ask(call, `Book ${index}?`, long)))
    await call.step('book', () => 'booked')
    if (isSlow) {
      atWork()
      await new Promise(() => {})
    }
    return 'done'
  })
  const first = await send()
  const client = new AbortController()
  const left = send({ ...loud(first), signal: client.signal }).catch(() => {})
  await isAtWork
  client.abort()
  await left
  isSlow = false
  const begun = performance.now()
  expect(await send(loud(first))).toEqual({ kind: 'finished', result: 'done' })
  expect(performance.now() - begun).toBeLessThan(900)
})

it('does not count against the time of a handler', async () => {
  let isSlow = true
  let atWork = () => {}
  const isAtWork = new Promise<void>(resolve => {
    atWork = resolve
  })
  const { send, clock } = createNode(async call => {
    // A tool with `timeoutMs: 500`.
    const stop = call.limit(500)
    await Promise.all(['one', 'two'].map(each => ask(call, `Book ${each}?`, long)))
    await call.step('book', () => 'booked')
    if (isSlow) {
      atWork()
      await new Promise(() => {})
    }
    stop()
    return 'done'
  })
  const first = await send()
  const client = new AbortController()
  const left = send({ ...loud(first), signal: client.signal }).catch(() => {})
  await isAtWork
  client.abort()
  await left
  isSlow = false
  const answered = send(loud(first))
  // The clock of the server goes on by itself, as it does.
  const ticking = setInterval(() => void clock.advance(50), 50)
  expect(await answered.finally(() => clearInterval(ticking))).toEqual({ kind: 'finished', result: 'done' })
})

it('is not waited out for a step of a way that was not taken after other answers to a round that was opened again', async () => {
  let isSlow = true
  let atWork = () => {}
  const isAtWork = new Promise<void>(resolve => {
    atWork = resolve
  })
  const { send } = createNode(
    async call => {
      if ((await ask(call, 'Book it?', long)) === 'yes') {
        await call.step('book', () => 'booked')
        if (isSlow) {
          atWork()
          await new Promise(() => {})
        }
      }
      await ask(call, 'Send a mail?', long)
      return 'done'
    },
    { replay: 'always' },
  )
  const first = await send()
  const [id = ''] = first.kind === 'asks' ? first.asks.map(({ id: each }) => each) : []
  const state = first.kind === 'asks' ? first.state : ''
  const client = new AbortController()
  const left = send({ state, answers: { [id]: 'yes' }, signal: client.signal }).catch(() => {})
  await isAtWork
  client.abort()
  await left
  isSlow = false
  const second = await send({ state, answers: { [id]: 'no' } })
  const begun = performance.now()
  expect(await send(loud(second))).toEqual({ kind: 'finished', result: 'done' })
  expect(performance.now() - begun).toBeLessThan(900)
})

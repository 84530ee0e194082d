// docs/calls.md: "What a handler does to its arguments, to an answer or to the result of a step changes nothing but its own copy."
import { expect, it } from 'vitest'
import { ask, createNode, loud, open } from '../../test/round-node.js'
import type { Ask } from '../call/ask.js'

const long = { timeoutMs: 3_600_000 }
const form: Ask = { kind: 'form', message: 'Which?', form: { type: 'object', properties: {} } }

it('has an answer that came before anyone was asked be a copy as well', async () => {
  const { send } = createNode(
    async call => {
      const outcome = { action: 'accept' as const, content: { list: ['one', 'two'] } }
      const reply = await call.ask(form, {
        key: 'which',
        ...long,
        wire: 'rounds',
        unasked: { kind: 'outcome', outcome },
      })
      const { list } = (reply as unknown as { outcome: typeof outcome }).outcome.content
      const last = list.pop()
      await ask(call, 'Go on?', long)
      return last
    },
    { replay: 'always' },
  )
  expect(await send(loud(await send()))).toEqual({ kind: 'finished', result: 'two' })
})

it('has who answered be a copy as well', async () => {
  const { send } = createNode(
    async call => {
      const outcome = { action: 'accept' as const, content: {}, by: [{ name: 'Ana' }, { name: 'Ben' }] as never[] }
      const reply = await call.ask(form, {
        key: 'which',
        ...long,
        wire: 'rounds',
        unasked: { kind: 'outcome', outcome },
      })
      const { by } = (reply as unknown as { outcome: typeof outcome }).outcome
      const last = by.pop()
      await ask(call, 'Go on?', long)
      await ask(call, 'Really?', long)
      return last
    },
    { replay: 'always' },
  )
  const second = await send(loud(await send()))
  expect(open(second).messages).toEqual(['Really?'])
  expect(await send(loud(second))).toEqual({ kind: 'finished', result: { name: 'Ben' } })
})

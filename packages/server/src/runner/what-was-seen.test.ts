// R6: an answer counts only for the question that the person saw.
import { expect, it } from 'vitest'
import { ask, createNode, type Handler, open } from '../../test/round-node.js'

it('R6: gives no answer to another question when a replay asks in another order', async () => {
  const deleted: string[] = []
  const inOrder =
    (names: string[]): Handler =>
    async call => {
      const deleteOne = async (name: string) => {
        await ask(call, `Delete ${name}?`)
        await call.step(`delete ${name}`, () => void deleted.push(name))
      }
      await Promise.all(names.map(deleteOne))
      return deleted
    }
  const a = createNode(inOrder(['cache', 'database']))
  const b = createNode(inOrder(['database', 'cache']))
  const first = open(await a.send())
  expect(first.messages).toEqual(['Delete cache?', 'Delete database?'])
  const [cache = ''] = first.ids
  const second = open(await a.send({ state: first.state, answers: { [cache]: 'yes' } }))
  expect(second.messages).toEqual(['Delete database?'])
  // That process is gone, and the client comes to another with nothing answered.
  expect(open(await b.send({ state: second.state, answers: {} })).messages).toEqual(['Delete database?'])
  expect(deleted).toEqual(['cache'])
})

it('R6: asks again what has other words now and was open beside something else', async () => {
  const worded =
    (words: string): Handler =>
    async call => {
      const [one] = await Promise.all([ask(call, words), ask(call, 'Which color?')])
      await call.step('first', () => {})
      return [one, await ask(call, 'Sure?')]
    }
  const a = createNode(worded('Delete 3 files?'))
  const b = createNode(worded('Delete 4 files?'))
  const first = open(await a.send())
  const [files = '', color = ''] = first.ids
  const second = open(await a.send({ state: first.state, answers: { [files]: 'yes', [color]: 'green' } }))
  expect(second.messages).toEqual(['Sure?'])
  const third = open(await b.send({ state: second.state, answers: { [second.ids[0] ?? '']: 'yes' } }))
  expect(third.messages).toEqual(['Delete 4 files?'])
})

it('R6: goes on with an answer to other words where nothing else was open, and its step was done', async () => {
  const worded =
    (words: string): Handler =>
    async call => {
      const one = await ask(call, words)
      await call.step('first', () => {})
      return [one, await ask(call, 'Sure?')]
    }
  const a = createNode(worded('Delete 3 files?'))
  const b = createNode(worded('Delete 4 files?'))
  const first = open(await a.send())
  const second = open(await a.send({ state: first.state, answers: { [first.ids[0] ?? '']: 'yes' } }))
  const third = await b.send({ state: second.state, answers: { [second.ids[0] ?? '']: 'yes' } })
  expect(third).toMatchObject({ kind: 'finished', result: ['yes', 'yes'] })
})

it('R6: gives each of two asks with the same key its own answer', async () => {
  const handler: Handler = call =>
    Promise.all([ask(call, 'Delete cache?', { key: 'ok' }), ask(call, 'Delete database?', { key: 'ok' })])
  const [a, b] = [createNode(handler), createNode(handler)]
  const first = open(await a.send())
  expect(first.ids).toEqual(['ok', 'ok-2'])
  const second = open(await b.send({ state: first.state, answers: { 'ok-2': 'yes to database' } }))
  expect(second.messages).toEqual(['Delete cache?'])
})

it('R6: shows every question under a name of its own, whatever keys look like', async () => {
  const { send } = createNode(call =>
    Promise.all([
      ask(call, 'Delete the cache?', { key: 'ok' }),
      ask(call, 'Delete the logs?', { key: 'ok' }),
      ask(call, 'Delete the database?', { key: 'ok-2' }),
      ask(call, 'Delete everything?', { key: 'ok' }),
    ]),
  )
  const { state, ids, messages } = open(await send())
  expect(new Set(ids).size).toBe(4)
  const answers = Object.fromEntries(ids.map((id, at) => [id, `yes: ${messages[at]}`]))
  expect(await send({ state, answers })).toEqual({ kind: 'finished', result: messages.map(words => `yes: ${words}`) })
})

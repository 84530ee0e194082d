// R5: a round that its client cancelled, and brings the same answers to again, goes on with what came of them: each branch with its own.
import { expect, it } from 'vitest'
import { ask, createNode, loud, turn } from '../../test/round-node.js'
import { deferred } from '../runtime/deferred.js'
import { memoryStore } from '../store/memory-store.js'

it.each([
  ['in memory', false],
  ['in a store', true],
])('does for each branch what it asks for, when the same answers come again, with its log %s', async (_, shared) => {
  const store = { ...memoryStore({ clock: { now: () => 0 } }), shared, close: async () => {} }
  const removed: string[] = []
  const saved = deferred<void>()
  let isStuck = true
  const { send } = createNode(
    call =>
      Promise.all(
        ['a', 'b'].map(async what => {
          await ask(call, `Remove ${what}?`, { timeoutMs: 3_600_000 })
          await call.step('save', () => (what === 'a' ? saved.promise : undefined))
          await call.step('remove', async () => {
            if (what === 'a' && isStuck) await new Promise(() => {})
            removed.push(what)
          })
        }),
      ),
    { store },
  )
  const answers = loud(await send())
  const gone = new AbortController()
  const cut = send({ ...answers, signal: gone.signal }).catch(() => {})
  for (let turns = 0; turns < 10; turns++) await turn()
  expect(removed).toEqual(['b'])
  saved.resolve()
  for (let turns = 0; turns < 10; turns++) await turn()
  gone.abort()
  await cut
  isStuck = false
  expect(await send(answers)).toMatchObject({ kind: 'finished' })
  expect(removed).toEqual(['b', 'a'])
})

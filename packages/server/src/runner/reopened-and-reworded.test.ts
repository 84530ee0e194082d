// R6: "An answer counts only for the question, and the content, that the person saw." docs/calls.md: "A question that a replay words
// differently is asked again, unless it has a `key`, or it was asked alone and something that came after its answer is recorded."
import { expect, it } from 'vitest'
import { ask, createNode, open, turn } from '../../test/round-node.js'
import { memoryStore } from '../store/index.js'

it.each([
  ['in memory', false],
  ['in a store', true],
])(
  'asks again for what is worded differently, where nothing came after the answer, with its log %s',
  async (_, shared) => {
    const store = { ...memoryStore({ clock: { now: () => 0 } }), shared, close: async () => {} }
    const prices = [5, 9, 9]
    const paid: string[] = []
    const { send } = createNode(
      async call => {
        const price = prices.shift()
        const answer = await ask(call, `Pay ${price}?`, { timeoutMs: 3_600_000 })
        await call.step('note', () => {})
        // Busy, for as long as the client of the first try waits.
        if (answer === 'no') await new Promise(() => {})
        paid.push(`${price}: ${answer}`)
        return 'done'
      },
      { store },
    )
    const { state, ids } = open(await send())
    const [id = ''] = ids
    const gone = new AbortController()
    const cut = send({ state, answers: { [id]: 'no' }, signal: gone.signal }).catch(() => {})
    for (let i = 0; i < 5; i++) await turn()
    gone.abort()
    await cut
    for (let i = 0; i < 5; i++) await turn()
    // The round is open again, and the person, who was shown 5, says yes to that.
    const reply = await send({ state, answers: { [id]: 'yes' } })
    expect({ reply: reply.kind, paid }).toEqual({ reply: 'asks', paid: [] })
  },
)

// The law: a call that goes from process to process, or whose handler is entered again with every round, shows the same questions,
// does the same effects in the same order, none of them twice, and ends with the same as one that a single process runs through.
// Handlers, and what people answer, are drawn from a seed.
import { describe, expect, it } from 'vitest'
import { draw, type Log, play, rng, type Terms } from '../../test/drawn-handlers.js'
import { ask, createNode, type Handler, open, type Reply, turn } from '../../test/round-node.js'
import { memoryStore } from '../store/index.js'

async function runThrough(
  seed: number,
  terms: Terms,
  how: 'one process' | 'others' | 'always' | 'evicted' | 'cut' | 'cut, others',
  isShared = false,
) {
  const random = rng(seed)
  const ops = draw(random, terms, 0, true)
  const effects: string[] = []
  const isCut = how === 'cut' || how === 'cut, others'
  const log: Log = { effects, cutAfter: isCut ? 1 + (seed % 5) : Number.POSITIVE_INFINITY }
  const handler: Handler = async call => {
    if (call.target.name === 'other') return ask(call, 'Other?', { timeoutMs: 3_600_000 })
    return play(call, ops, '', log)
  }
  const store = { ...memoryStore({ clock: { now: () => 0 } }), shared: true, close: async () => {} }
  const make = () =>
    createNode(handler, {
      ...((isShared || how === 'others' || how === 'cut, others') && { store }),
      ...(how === 'always' && { replay: 'always' as const }),
      limits: { stateBytes: 60_000, ...(how === 'evicted' && { suspended: 1 }) },
    })
  let node = make()
  const shown: string[][] = []
  let reply: Reply = await node.send()
  for (let round = 0; reply.kind === 'asks' && round < 60; round++) {
    const { ids, messages, state } = open(reply)
    // Both sides settle before the next answer comes.
    await turn()
    shown.push(ids.map((id, index) => `${id} ${messages[index]}`))
    const chosen = terms.together ? ids.filter(() => random(2) === 0) : [ids[random(ids.length)] ?? '']
    if (chosen.length === 0) chosen.push(ids[0] ?? '')
    const answers = Object.fromEntries(chosen.map(id => [id, random(3) === 0 ? 'no' : 'yes']))
    if (how === 'others') node = make()
    if (how === 'evicted') await node.send({ name: 'other' })
    for (let isOver = false; !isOver; ) {
      const client = new AbortController()
      log.cut = isCut ? () => client.abort() : undefined
      const sent = node.send({ state, answers, signal: client.signal })
      const settled = await sent.catch((error: unknown) => ({ kind: 'failed' as const, error }))
      log.cut = undefined
      isOver = !client.signal.aborted
      // The client comes back, with the same.
      if (isOver) reply = settled
      else if (how === 'cut, others') node = make()
      await turn()
    }
  }
  await turn()
  return { ops, shown, effects, reply: reply.kind === 'finished' ? reply.result : reply }
}

const plain: Terms = { together: false, stepsFirst: false, hops: false, turns: false, race: false }
const kinds: [string, Terms][] = [
  ['one answer a round', plain],
  ['one answer a round, with awaits of their own', { ...plain, hops: true }],
  ['one answer a round, and steps that take a while', { ...plain, turns: true }],
  ['one answer a round, and races', { ...plain, race: true }],
  ['steps beside each other', { ...plain, stepsFirst: true }],
  ['several answers a round', { ...plain, together: true }],
  ['everything', { together: true, stepsFirst: true, hops: true, turns: true, race: true }],
]

const seeds = Number(process.env.SEEDS ?? 25)

describe.each(kinds)('%s', (_name, terms) => {
  it.each(['others', 'always', 'evicted', 'cut', 'cut, others'] as const)(
    'goes the same way (%s)',
    { timeout: 60_000 },
    async how => {
      const broken: string[] = []
      // What was at work beside what was cut has had its effect, and not its record: it runs again, as it may.
      if (how.startsWith('cut') && terms.together) return
      for (let seed = 1; seed <= seeds; seed++) {
        const one = await runThrough(seed, terms, 'one process', how === 'others' || how === 'cut, others')
        const other = await runThrough(seed, terms, how)
        const same = ({ shown, effects, reply }: typeof one) =>
          JSON.stringify({ shown, effects: [...effects].sort(), reply })
        if (same(one) !== same(other)) broken.push(`${seed}`)
        if (process.env.SEED === `${seed}` && same(one) !== same(other))
          console.log(
            JSON.stringify(one.ops, null, 1),
            JSON.stringify(
              [one, other].map(({ ops: _, ...rest }) => rest),
              null,
              1,
            ),
          )
      }
      expect(broken).toEqual([])
    },
  )
})

// The law: a call that goes from process to process, or whose handler is entered again with every round, shows the same questions,
// does the same effects in the same order, none of them twice, and ends with the same as one that a single process runs through.
// Handlers, and what people answer, are drawn from a seed.
import { describe, expect, it } from 'vitest'
import { ask, createNode, type Handler, open, type Reply, turn } from '../../test/round-node.js'
import type { Call } from '../call/call.js'
import { memoryStore } from '../store/index.js'

type Op =
  | { kind: 'ask'; words: string; inside: Op[] }
  | { kind: 'step'; name: string; fails: boolean; turns: number }
  | { kind: 'hops'; count: number }
  | { kind: 'all' | 'race'; branches: Op[][] }

function rng(seed: number) {
  let state = seed >>> 0
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b) >>> 0
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below
  }
}

interface Terms {
  /** Whether several answers may come in one round. */
  together: boolean
  /** Whether branches may begin with a step. */
  stepsFirst: boolean
  /** Whether a branch may have awaits of its own, which take no turn of the event loop. */
  hops: boolean
  /** Whether steps may take turns of the event loop. */
  turns: boolean
  race: boolean
}

function draw(random: (below: number) => number, terms: Terms, depth: number, isFirst: boolean): Op[] {
  const ops: Op[] = []
  const count = 1 + random(3)
  for (let index = 0; index < count; index++) {
    const first = isFirst && index === 0
    const what = random(10)
    if (first && !terms.stepsFirst) ops.push({ kind: 'ask', words: `W${random(2)}`, inside: [] })
    else if (what < 3)
      ops.push({ kind: 'ask', words: `W${random(2)}`, inside: random(2) ? draw(random, terms, depth + 1, false) : [] })
    else if (what < 6)
      ops.push({ kind: 'step', name: `s${random(2)}`, fails: random(4) === 0, turns: terms.turns ? random(5) : 0 })
    else if (what < 7 && terms.hops) ops.push({ kind: 'hops', count: 1 + random(6) })
    else if (depth < 2)
      ops.push({
        kind: terms.race && random(3) === 0 ? 'race' : 'all',
        branches: Array.from({ length: 2 + random(2) }, () => draw(random, terms, depth + 1, true)),
      })
    else ops.push({ kind: 'ask', words: `W${random(2)}`, inside: [] })
  }
  return ops
}

/** What a handler did, and after how many steps its client goes away. */
interface Log {
  effects: string[]
  cutAfter: number
  cut?: (() => void) | undefined
}

async function play(call: Call<unknown>, ops: Op[], path: string, log: Log): Promise<string> {
  let said = ''
  for (const [index, op] of ops.entries()) {
    const here = `${path}.${index}`
    if (op.kind === 'ask') {
      const yes = (await ask(call, op.words, { timeoutMs: 3_600_000 })) === 'yes'
      said += yes ? 'y' : 'n'
      if (yes) said += await play(call, op.inside, `${here}y`, log)
    } else if (op.kind === 'step') {
      try {
        said += await call.step(op.name, async () => {
          log.effects.push(here)
          for (let each = 0; each < op.turns; each++) await new Promise(resolve => setImmediate(resolve))
          if (op.fails) throw new Error(here)
          return `[${here}]`
        })
      } catch (error) {
        said += `!${(error as Error).message}`
      }
      if (log.effects.length >= log.cutAfter && log.cut !== undefined) {
        log.cut()
        log.cutAfter += 3
      }
    } else if (op.kind === 'hops') for (let hop = 0; hop < op.count; hop++) await undefined
    else {
      const branches = op.branches.map((branch, each) => play(call, branch, `${here}/${each}`, log))
      said += `(${op.kind === 'race' ? await Promise.race(branches) : (await Promise.all(branches)).join()})`
    }
  }
  return said
}

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

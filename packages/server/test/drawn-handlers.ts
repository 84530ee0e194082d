// Handlers that are drawn from a seed: asks, steps and branches beside each other, as an author might write them.
import type { Call } from '../src/call/call.js'
import { ask } from './round-node.js'

export type Op =
  | { kind: 'ask'; words: string; inside: Op[] }
  | { kind: 'step'; name: string; fails: boolean; turns: number }
  | { kind: 'hops'; count: number }
  | { kind: 'all' | 'race'; branches: Op[][] }

/** Draws numbers below one. */
export function rng(seed: number) {
  let state = seed >>> 0
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b) >>> 0
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below
  }
}

export interface Terms {
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

export function draw(random: (below: number) => number, terms: Terms, depth: number, isFirst: boolean): Op[] {
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
export interface Log {
  effects: string[]
  cutAfter: number
  cut?: (() => void) | undefined
  /** Told of each effect, when it happens. */
  onEffect?: (place: string) => void
}

/** Runs what was drawn; gives what it comes to, with the place of each step that it took. */
export async function play(call: Call<unknown>, ops: Op[], path: string, log: Log): Promise<string> {
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
          log.onEffect?.(here)
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

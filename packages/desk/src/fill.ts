// Writes open asks to a store without a desk: for benchmarks and tests that need a million of them.
import { randomUUID } from 'node:crypto'
import { describeRefusal } from '@beckon/core/live'
import { systemClock } from 'beckon'
import { type Store, sealedStore } from 'beckon/store'
import { borrowedStore } from 'beckon/store/adapter'
import { deskStore } from './desk-parts.js'
import { AskIndex } from './index/ask-index.js'
import type { AskLimits } from './limits/ask-limits.js'
import type { SessionEvent } from './model/events.js'
import { reduce } from './model/reduce.js'
import type { Session } from './model/session.js'
import { type Decision, Sessions } from './sessions/sessions.js'
import { createSession, digestOfAsk, openAsk, startTurn } from './turns/decisions.js'

export interface FillOptions {
  /** Ask number `n` is for person `p<n % people>`. */
  readonly people: number
  readonly question: string
  /** How long they are open. Default: a day. */
  readonly openMs?: number
}

const dayMs = 24 * 60 * 60 * 1000
/** So many sessions are written at once: a store writes what comes together together. */
const atOnce = 1_000
const limits: AskLimits = { maxOpenAsks: 1, maxAskBytes: 256 * 1024, maxSessionBytes: 256 * 1024 }

/**
 * Writes asks there, each in a session of its own, `f<n>`, as the call of a tool has it: by what a desk decides and writes, names
 * of the index included. What a desk does beside that is left out: nothing is in the audit, and nobody is told.
 */
export async function fill(
  store: Store,
  count: number,
  { people, question, openMs = dayMs }: FillOptions,
): Promise<void> {
  const clock = systemClock
  const plain = untold(borrowedStore(store))
  const sealed = plain.shared ? sealedStore(plain) : plain
  const own = deskStore(sealed)
  const [node, keepMs] = [randomUUID(), 7 * dayMs]
  const index = new AskIndex({ store: own, clock, node, keepMs })
  // More than are written at once: nobody looks for one that could go, and finds only those that are being written.
  const sessions = new Sessions({
    store: own,
    clock,
    index,
    node,
    keepMs,
    maxIdle: 2 * atOnce,
    onError: raise,
  })

  function raise(error: unknown): never {
    throw error
  }

  async function put(number: number): Promise<void> {
    const [id, turn, at] = [`f${number}`, `t${number}`, clock.now()]
    const policy = { audience: { principals: [`p${number % people}`] }, expiresAt: at + openMs }
    const request = { id: `r${number}`, message: question }
    const ask = { request, policy, digest: digestOfAsk(request), node, limits }
    const steps = [
      (session?: Session) => createSession(session, { id, title: 'Deploys', server: 'shop', isCall: true }, { at }),
      (session?: Session) => startTurn(session, turn, '', { at }),
      (session?: Session) => openAsk(session, turn, ask, { at }),
    ]
    const settled = await sessions.change(id, session => inOneAppend(session, steps))
    if (settled.kind === 'refused') throw new Error(`Ask ${number} was refused: ${describeRefusal(settled)}`)
  }

  let next = 0
  const worker = async () => {
    while (next < count) await put(next++)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker))
  await sessions.close()
  await sealed.close()
}

function inOneAppend(session: Session | undefined, steps: readonly ((session?: Session) => Decision)[]): Decision {
  const all: SessionEvent[] = []
  let state = session
  for (const step of steps) {
    const { events = [], refused } = step(state)
    if (refused !== undefined) return { refused }
    all.push(...events)
    state = events.reduce(reduce, state)
  }
  return { events: all }
}

/** A store on which nobody is told anything. */
function untold(store: Store): Store {
  return { ...store, publish: async () => {} }
}

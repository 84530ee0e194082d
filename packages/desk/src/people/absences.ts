// Who is away, from when until when, and who stands in for them. Asks that would be theirs by name are for their stand-in, too,
// when they are opened, handed on or escalated meanwhile.
//
// The threat: someone who gets a second voice, or one about their own call, by having others stand in for them. With the
// person who is away, a stand-in is one of those who accept (`Policy.standIns`); the caller is nobody's stand-in, and where they
// do not count has none; and a chain of absences ends after a few steps, or before the caller.
import type { Refusal } from '@beckon/core/live'
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import type { Policy, StandIns } from '../model/policy.js'
import { WatchedLog } from '../watched-log/watched-log.js'

/** Someone is away. */
export interface Away {
  /** Milliseconds. */
  readonly from: number
  /** Milliseconds. */
  readonly until: number
  /** The principal who stands in. */
  readonly to: string
}

export interface AbsencesOptions {
  readonly store: Store
  readonly clock: Clock
}

/** Who stands in for some people, none of whom may be one of `never`. */
export type FindStandIns = (people: readonly string[], never: readonly (string | undefined)[]) => StandIns

type AwayMap = ReadonlyMap<string, Away>
type AwayEvent = { readonly principal: string; readonly away?: Away }

/** How many stand in for each other, one after the other. */
const maxSteps = 3
const maxAwayMs = 366 * 24 * 60 * 60 * 1000
/** Of all people: every node has them in memory. */
const maxAbsences = 10_000
const pieceAbsences = 100

export class Absences {
  readonly #clock: Clock
  readonly #log: WatchedLog<AwayMap, AwayEvent, [string, Away]>

  constructor({ store, clock }: AbsencesOptions) {
    this.#clock = clock
    this.#log = new WatchedLog({
      store,
      name: 'away',
      clock,
      empty: new Map(),
      reduce,
      itemsOf: known => [...known],
      fromItems: known => new Map(known),
      pieceItems: pieceAbsences,
    })
    // Who opens an ask does not wait for it.
    this.#log.read().catch(() => {})
  }

  /** What someone has said of themselves, also for later; undefined when they are not away, or not any more. */
  async find(principal: string): Promise<Away | undefined> {
    const away = (await this.#log.read()).get(principal)
    return away !== undefined && away.until > this.#clock.now() ? away : undefined
  }

  /** Keeps that someone is away, instead of what they said before; or says why not. */
  set(principal: string, away: Away): Promise<Refusal | undefined> {
    const now = this.#clock.now()
    const { from, until, to } = away
    if (to === principal) return Promise.resolve(refusedFor('self'))
    const isTime = from < until && until > now && until - Math.min(from, now) <= maxAwayMs && from - now <= maxAwayMs
    if (!isTime) return Promise.resolve(refusedFor('times'))
    return this.#log.write<Refusal | undefined>(known => {
      const over = [...known].filter(([, { until: end }]) => end <= now).map(([gone]) => ({ principal: gone }))
      if (known.size - over.length >= maxAbsences && !known.has(principal))
        return { events: [], result: { code: 'too-many' } }
      return { events: [...over, { principal, away: { from, until, to } }], result: undefined }
    })
  }

  /** They are back. False when they were not away. */
  remove(principal: string): Promise<boolean> {
    return this.#log.write<boolean>(known => {
      const isThere = known.has(principal)
      return { events: isThere ? [{ principal }] : [], result: isThere }
    })
  }

  /** Who stands in for some people now, none of whom may be one of `never`. */
  standIns(people: readonly string[], never: readonly (string | undefined)[]): StandIns | Promise<StandIns> {
    const known = this.#log.known()
    return known instanceof Promise
      ? known.then(read => this.#standInsIn(read, people, never))
      : this.#standInsIn(known, people, never)
  }

  /** What says at once who stands in for some people now. */
  async finder(): Promise<FindStandIns> {
    const known = await this.#log.known()
    return (people, never) => this.#standInsIn(known, people, never)
  }

  #standInsIn(known: AwayMap, people: readonly string[], never: readonly (string | undefined)[]): StandIns {
    const found: [string, string][] = []
    for (const person of people) {
      const standIn = this.#last(known, person, never)
      if (standIn !== undefined && !people.includes(standIn) && !found.some(([name]) => name === standIn))
        found.push([standIn, person])
    }
    return Object.fromEntries(found)
  }

  close(): Promise<void> {
    return this.#log.close()
  }

  /** The last of those who stand in for each other: who is there, or as far as the chain goes. */
  #last(known: AwayMap, person: string, never: readonly (string | undefined)[]): string | undefined {
    const now = this.#clock.now()
    const chain = [person]
    for (let steps = 0; steps < maxSteps; steps++) {
      const away = known.get(chain.at(-1) ?? '')
      if (away === undefined || away.from > now || away.until <= now) break
      if (chain.includes(away.to) || never.includes(away.to)) break
      chain.push(away.to)
    }
    return chain.length > 1 ? chain.at(-1) : undefined
  }
}

/** A policy whose named people have stand-ins where they are away. Who called is none of them, and chooses none. */
export function withStandIns(
  policy: Policy,
  absences: Pick<Absences, 'standIns'>,
  caller: string | undefined,
): Policy | Promise<Policy> {
  const { audience, owner, requester } = policy
  const { principals = [] } = audience ?? {}
  // A page about who someone is is for nobody else.
  if (audience === undefined || principals.length === 0 || owner !== undefined) return policy
  const withThem = (standIns: StandIns): Policy => {
    const names = Object.keys(standIns)
    if (names.length === 0) return policy
    return { ...policy, standIns, audience: { ...audience, principals: [...principals, ...names] } }
  }
  const others = principals.filter(principal => principal !== requester)
  const found = absences.standIns(others, [caller, requester])
  return found instanceof Promise ? found.then(withThem) : withThem(found)
}

function refusedFor(why: 'self' | 'times'): Refusal {
  return { code: 'away-invalid', params: { why } }
}

function reduce(known: AwayMap, { principal, away }: AwayEvent): AwayMap {
  const next = new Map(known)
  if (away !== undefined) return next.set(principal, away)
  return next.delete(principal) ? next : known
}

import type { Owner } from '../log/events.js'
import type { CallState } from '../log/reduce.js'
import type { Attempt } from './attempt.js'
import type { ReplayCause } from './call-request.js'
import type { Nodes } from './nodes.js'
import type { Watchers } from './watchers.js'
import type { Working } from './working.js'

/**
 * What a log says of who is at a call. A run that gave one up is never at it again: a durable call; or, of any other, the round
 * that has no reply yet.
 */
export interface Claim extends Owner {
  readonly round: number | null
}

export interface OwnersOptions {
  readonly nodes: Pick<Nodes, 'id' | 'isAlive'>
  readonly working: Pick<Working, 'find'>
  readonly watchers: Pick<Watchers, 'isGivenUp'>
  /** The run of a durable call in this process. */
  readonly named: (name: string) => Pick<Attempt<never>, 'run'> | undefined
}

/** Whether calls are still run by whom their logs name. A process that lives may have given a run up, which only it knows. */
export class Owners {
  readonly #options: OwnersOptions

  constructor(options: OwnersOptions) {
    this.#options = options
  }

  /** Why nobody is at a call any more; undefined while someone is, as far as can be told. */
  async whyGone(name: string, claim: Claim | undefined): Promise<ReplayCause | undefined> {
    const { nodes, watchers } = this.#options
    if (claim === undefined) return 'process-gone'
    if (claim.node === nodes.id) return this.isHere(name, claim.run) ? undefined : 'unknown-write'
    if (watchers.isGivenUp(claim)) return 'unknown-write'
    return (await nodes.isAlive(claim.node)) ? undefined : 'process-gone'
  }

  /** Whether a run of this process is at a call. */
  isHere(name: string, run: string): boolean {
    const { working, named } = this.#options
    return working.find(name, run) !== undefined || named(name)?.run === run
  }
}

/** Who is at a call, as its log has it. */
export function claimOf({ owner, record, rounds }: CallState): Claim | undefined {
  const round = record === undefined ? rounds.findLast(({ reply }) => reply === undefined)?.number : undefined
  return owner && { ...owner, round: round ?? null }
}

// Pages that a server of 2025 wants visited before a call (-32042). It may tell when one is completed, and need not: so once a
// person has agreed, the call is tried again at once, then now and again, and whenever the server tells.

import type { ElicitRequestURLParams } from '@modelcontextprotocol/client'
import type { Connection } from '../connection.js'
import type { Subject } from '../elicitation/elicit.js'

/** A tool call that is going on. */
export interface RunningCall extends Subject {
  readonly ticket: string
}

type Page = ElicitRequestURLParams

/** How often a call may name pages that nobody was asked to visit yet. */
const maxVisits = 3
/** How long a call is tried again after a person agreed to visit its pages. */
const visitMs = 5 * 60 * 1_000
const firstPauseMs = 1_000
const maxPauseMs = 15_000

export class PageVisits {
  readonly #connection: Connection
  readonly #call: RunningCall
  readonly #signal: AbortSignal
  /** Ids and addresses that a person agreed to: a server may name the same page under another id each time. */
  readonly #agreed = new Set<string>()
  #visits = 0
  #pauseMs = firstPauseMs
  #until = 0

  constructor(connection: Connection, call: RunningCall, signal: AbortSignal) {
    this.#connection = connection
    this.#call = call
    this.#signal = signal
  }

  /** Resolves when a call that was refused for these pages is worth another try; to false when it is not. */
  async before(pages: readonly Page[]): Promise<boolean> {
    const unseen = pages.filter(page => !namesOf(page).some(name => this.#agreed.has(name)))
    return unseen.length > 0 ? this.#visit(unseen) : this.#pause(pages)
  }

  async #visit(pages: readonly Page[]): Promise<boolean> {
    if (++this.#visits > maxVisits) return false
    const asked = pages.map(page => this.#connection.elicit({ ...page, mode: 'url' }, this.#signal, this.#call))
    const outcomes = await Promise.all(asked)
    for (const name of pages.flatMap(namesOf)) this.#agreed.add(name)
    this.#pauseMs = firstPauseMs
    this.#until = performance.now() + visitMs
    return outcomes.every(({ action }) => action === 'accept') && !this.#signal.aborted
  }

  async #pause(pages: readonly Page[]): Promise<boolean> {
    const leftMs = this.#until - performance.now()
    if (leftMs <= 0) return false
    const pause = AbortSignal.any([this.#signal, AbortSignal.timeout(Math.min(this.#pauseMs, leftMs))])
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs)
    const { completions } = this.#connection
    const arrived = this.#connection.visiting(this.#call)
    // A page that was completed before the call was refused for it says nothing new.
    await completions.waitForAny(
      pages.map(({ elicitationId = '' }) => elicitationId).filter(id => !completions.has(id)),
      pause,
    )
    arrived()
    return !this.#signal.aborted
  }
}

function namesOf({ elicitationId, url }: Page): string[] {
  return elicitationId === undefined ? [url] : [elicitationId, url]
}

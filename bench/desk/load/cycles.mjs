import { inTime } from '../../in-time.mjs'

/** Longest time that the slowest contender may take for one cycle. */
const maxMs = 60_000

/**
 * What was done between two marks.
 * @typedef {object} Sample
 * @property {number[]} times of each cycle that ended, in milliseconds
 * @property {number} seconds
 * @property {number} cpuMs of this process
 */

/** Runs the same again and again, so many at once, and says how often and how long in the time between `mark` and `take`. */
export class Cycles {
  #cycle
  /** @type {number[]} */
  #times = []
  #isOver = false
  #running = Promise.resolve()
  #markedAt = 0
  #cpu = process.cpuUsage()

  /** @param {(worker: number) => Promise<unknown>} cycle */
  constructor(cycle) {
    this.#cycle = cycle
  }

  /**
   * Resolves once every worker has been through one cycle: before that, nobody has waited for as long as they all do.
   * @param {number} atOnce
   */
  async begin(atOnce) {
    this.#isOver = false
    /** @type {Promise<void>[]} */
    const firsts = []
    const workers = Array.from({ length: atOnce }, (_, worker) => {
      const first = this.#once(worker)
      firsts.push(first)
      return first.then(() => this.#goOn(worker))
    })
    this.#running = Promise.all(workers).then(() => {})
    // Whoever stops them hears of it.
    this.#running.catch(() => {})
    await inTime(Promise.all(firsts), maxMs)
  }

  mark() {
    this.#times = []
    this.#cpu = process.cpuUsage()
    this.#markedAt = performance.now()
  }

  /** How many ended since the mark. */
  get count() {
    return this.#times.length
  }

  /** @returns {Sample} */
  take() {
    const { user, system } = process.cpuUsage(this.#cpu)
    const seconds = (performance.now() - this.#markedAt) / 1000
    return { times: this.#times, seconds, cpuMs: (user + system) / 1000 }
  }

  /** Resolves when what was begun has ended; rejects when one of them went wrong. */
  async stop() {
    this.#isOver = true
    await inTime(this.#running, maxMs)
  }

  /** @param {number} worker */
  async #goOn(worker) {
    while (!this.#isOver) await this.#once(worker)
  }

  /** @param {number} worker */
  async #once(worker) {
    const began = performance.now()
    await this.#cycle(worker)
    this.#times.push(performance.now() - began)
  }
}

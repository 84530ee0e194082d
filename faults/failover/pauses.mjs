// How long nobody was told that an answer was taken, wire by wire, from the loss of a primary on.

/** @typedef {'rounds' | 'tasks' | 'desk'} Wire */

export class Pauses {
  /** @type {Record<Wire, number[]>} */
  #taken = { rounds: [], tasks: [], desk: [] }
  /** The longest of each failover. @type {Record<Wire, number[]>} */
  longest = { rounds: [], tasks: [], desk: [] }

  /** @param {Wire} wire */
  taken(wire, at = Date.now()) {
    this.#taken[wire].push(at)
  }

  /** Whether an answer was taken on every wire since then. @param {number} since */
  hasGoneOn(since) {
    return Object.values(this.#taken).every(times => times.some(at => at > since))
  }

  /**
   * A primary was lost at one time, and the next will be at another.
   * @param {number} from
   * @param {number} to
   */
  close(from, to) {
    for (const [name, times] of Object.entries(this.#taken)) {
      const wire = /** @type {Wire} */ (name)
      // What was still under way when it was lost may have been taken a moment later.
      const within = [from, ...times.filter(at => at > from && at < to), to]
      this.longest[wire].push(Math.max(...within.slice(1).map((at, index) => at - (within[index] ?? at))))
      this.#taken[wire] = times.filter(at => at >= to)
    }
  }
}

/** @param {Readonly<Record<Wire, readonly number[]>>} longest */
export function describePauses(longest) {
  return Object.entries(longest)
    .map(([wire, all]) => {
      const sorted = [...all].sort((a, b) => a - b)
      const seconds = (/** @type {number} */ share) =>
        ((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) / 1_000).toFixed(1)
      return `${wire} ${seconds(0.5)} s (longest ${seconds(1)} s)`
    })
    .join(', ')
}

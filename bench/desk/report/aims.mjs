/** What a figure has to be. @typedef {{ atLeast: number } | { atMost: number }} Bound */

/** What DESIGN wants of a desk, and what was reached of it. */
export class Aims {
  /** @type {{ what: string, words: string, isReached: boolean }[]} */
  #all = []

  /**
   * @param {string} what
   * @param {number} figure
   * @param {Bound} bound
   * @param {string} [unit]
   */
  add(what, figure, bound, unit = '') {
    const [words, isReached] =
      'atLeast' in bound
        ? [`at least ${bound.atLeast}${unit}`, figure >= bound.atLeast]
        : [`at most ${bound.atMost}${unit}`, figure <= bound.atMost]
    this.#all.push({ what, words: `${rounded(figure)}${unit}, aim ${words}`, isReached })
  }

  get areReached() {
    return this.#all.every(({ isReached }) => isReached)
  }

  print() {
    const missed = this.#all.filter(({ isReached }) => !isReached).length
    console.log(`\nAims: ${this.#all.length - missed} of ${this.#all.length} reached`)
    for (const { what, words, isReached } of this.#all)
      console.log(`  ${isReached ? 'reached' : 'MISSED '}  ${what}: ${words}`)
  }
}

/** @param {number} figure */
function rounded(figure) {
  return Math.abs(figure) < 10 ? figure.toFixed(2) : figure.toFixed(0)
}

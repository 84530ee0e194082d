/**
 * Numbers from a seed: a run can be had again, as far as processes and networks allow.
 * @typedef {object} Random
 * @property {() => number} next from 0 up to 1
 * @property {<T>(list: readonly T[]) => T} pick
 * @property {(from: number, to: number) => number} between
 */

/**
 * @param {number} seed
 * @returns {Random}
 */
export function createRandom(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    pick: list => {
      const item = list[Math.floor(next() * list.length)]
      if (item === undefined) throw new Error('there is nothing to pick')
      return item
    },
    between: (from, to) => Math.floor(from + next() * (to - from)),
  }
}

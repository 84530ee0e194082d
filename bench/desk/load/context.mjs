// What a part of the benchmark is given, and what the command takes: npm run bench -- desk [--quick] [--only rates,heap] ...
import { parseArgs } from 'node:util'
import { Aims } from '../report/aims.mjs'
import { fill } from './fill.mjs'

/** @typedef {import('./fill.mjs').Fill} Fill */
/** @typedef {import('./in-turn.mjs').Pace} Pace */
/** @typedef {import('./places.mjs').Place} Place */

/**
 * @typedef {object} Context
 * @property {Place[]} places those that are wanted
 * @property {Pace} pace
 * @property {number} atOnce as many as go on at once when it is not one
 * @property {Aims} aims where each part says what it reached
 * @property {number} asks how many are open on a desk that has many
 * @property {string[]} whom whom those are for: `one` person, `many`, or once each
 * @property {number} heldAsks how many are open while the heap is looked at
 * @property {Fill} fill puts many asks there
 * @property {string | undefined} profile the folder for CPU profiles of the nodes
 */

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    places: { type: 'string' },
    asks: { type: 'string' },
    whom: { type: 'string', default: 'one,many' },
    profile: { type: 'string' },
  },
})

/** Whether to see that it runs, and not how fast: the figures mean little. */
export const isQuick = values.quick

/** @param {string} part */
export function isWanted(part) {
  return values.only === undefined || values.only.split(',').includes(part)
}

/**
 * @param {Record<string, Place>} places
 * @returns {Context}
 */
export function contextOf(places) {
  const wanted = values.places?.split(',') ?? (isQuick ? ['memory', 'postgres'] : Object.keys(places))
  return {
    places: Object.entries(places).flatMap(([key, place]) => (wanted.includes(key) ? [place] : [])),
    pace: isQuick
      ? { warmEach: 100, warmMs: 200, sliceMs: 200, repetitions: 2, maxMs: 0 }
      : { warmEach: 6_000, warmMs: 45_000, sliceMs: 500, repetitions: 5, maxMs: 8_000 },
    atOnce: isQuick ? 20 : 100,
    aims: new Aims(),
    asks: Number(values.asks ?? (isQuick ? 2_000 : 1_000_000)),
    whom: values.whom.split(','),
    fill,
    heldAsks: isQuick ? 100 : 1_000,
    profile: values.profile,
  }
}

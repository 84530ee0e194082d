export type { Clock } from './clock.js'
export { Stopwatch } from './stopwatch.js'

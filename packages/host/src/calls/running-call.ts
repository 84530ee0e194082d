import type { Subject } from '../elicitation/elicit.js'

/** A tool call that is going on. */
export interface RunningCall extends Subject {
  readonly ticket: string
}

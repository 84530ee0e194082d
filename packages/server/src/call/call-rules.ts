import type { Clock } from '../runtime/clock.js'
import type { Telemetry } from '../telemetry/telemetry.js'

/** What holds for every call of a server. */
export interface CallRules {
  readonly clock: Clock
  readonly maxAsks: number
  /** How long a run may wait for nothing but the outside before that counts as a pause. */
  readonly holdMs: number
  /** This process, for times that only its own clock can tell. */
  readonly node: string
  /** How far the clocks of two processes may be apart. */
  readonly clockSkewMs: number
  readonly telemetry?: Telemetry | undefined
}

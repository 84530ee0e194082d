// For a desk, which is measured with the same instruments.
export { Telemetry } from './telemetry.js'
export { timedStore } from './timed-store.js'

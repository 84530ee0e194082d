export type { SharedInterval as Pulse } from './shared-interval.js'

import type { LogLevel } from '../call/incoming.js'

const levels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const satisfies readonly LogLevel[]

export function isLogLevel(value: unknown): value is LogLevel {
  return levels.includes(value as LogLevel)
}

/** Whether a message of a level is wanted by a client that named a threshold; without one, none is. */
export function isWanted(level: LogLevel, threshold: LogLevel | undefined): boolean {
  return threshold !== undefined && levels.indexOf(level) >= levels.indexOf(threshold)
}

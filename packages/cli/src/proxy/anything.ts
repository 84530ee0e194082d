import type { StandardSchemaV1 } from '@modelcontextprotocol/client'

/** Takes what comes as it is: a proxy passes on what it does not know. */
export const anything: StandardSchemaV1<Record<string, unknown>> = {
  '~standard': { version: 1, vendor: 'beckon', validate: value => ({ value: value as Record<string, unknown> }) },
}

/** Timers overflow above this. The client's own clock is the one that counts. */
export const neverMs: number = 2 ** 31 - 1

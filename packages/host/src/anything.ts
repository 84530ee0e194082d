import type { StandardSchemaV1 } from '@modelcontextprotocol/client'

/** Takes what comes as it is: it is looked at where it is used. */
export const anything: StandardSchemaV1<Record<string, unknown>> = {
  '~standard': { version: 1, vendor: 'beckon', validate: value => ({ value: value as Record<string, unknown> }) },
}

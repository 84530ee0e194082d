import type { ToolAnnotations, ToolConfig, ToolSchema } from 'beckon'
import type { ActionOffer } from '../wire/offer.js'
import { withoutPatterns } from './without-patterns.js'

/** An action as a tool. Calls of it become tasks for clients that take them, since any action may ask a person. */
export function toolConfigOf(action: ActionOffer): ToolConfig {
  const { title, description, inputSchema, outputSchema, timeoutMs } = action
  const isObject = outputSchema?.type === 'object'
  return {
    ...(title !== undefined && { title }),
    description,
    input: describedOnly(inputSchema),
    ...(isObject && { output: { ...withoutPatterns(outputSchema), type: 'object' } }),
    annotations: annotationsOf(action),
    task: 'optional',
    _meta: {
      'tesseron/timeoutMs': timeoutMs,
      // MCP has only objects there.
      ...(outputSchema !== undefined && !isObject && { 'tesseron/outputSchema': outputSchema }),
    },
  }
}

/** Listed, and left for the application to check: it has the schema that this one was made from. */
function describedOnly(schema: ActionOffer['inputSchema']): ToolSchema {
  const json = { ...schema, type: 'object' }
  const jsonSchema = { input: () => json, output: () => json }
  const validate = (value: unknown) => ({ value })
  // The interface by which a schema describes itself stands beside the one by which it validates.
  return { '~standard': { version: 1, vendor: 'beckon-gateway', validate, jsonSchema } } as ToolSchema
}

function annotationsOf({ annotations }: ActionOffer): ToolAnnotations {
  const flags = ['readOnly', 'destructive', 'idempotent', 'openWorld', 'requiresConfirmation'] as const
  const given = flags.filter(flag => typeof annotations[flag] === 'boolean')
  const title = typeof annotations.title === 'string' ? { title: annotations.title } : {}
  return { ...title, ...Object.fromEntries(given.map(flag => [flag, annotations[flag]])) }
}

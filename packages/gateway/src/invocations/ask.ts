// `elicitation/request`: an application's question, put to the person of the call it belongs to.

import { AskExpiredError, ElicitationNotAvailableError } from '@beckon/core'
import { errorCodes, isRecord, type Params, RpcError } from '@beckon/core/json-rpc'
import type { Context } from 'beckon'
import type { Invocation } from './invocation.js'

/** What an application gets back. */
interface Outcome {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly value?: unknown
}

/** The application validates answers itself: here only the form has to hold. */
const validatedByApp = {
  '~standard': { version: 1, vendor: 'beckon-gateway', validate: (value: unknown) => ({ value }) },
} as const

const hourMs = 60 * 60 * 1000
const tasks = 'io.modelcontextprotocol/tasks'

export function ask(invocation: Invocation, { question, schema }: Params): Promise<Outcome> {
  if (typeof question !== 'string') throw new RpcError(errorCodes.invalidParams, '`question` must be a string.')
  if (!isRecord(schema) || schema.type !== 'object')
    throw new RpcError(errorCodes.invalidParams, '`schema` must be the JSON Schema of an object.')
  const { properties = {} } = schema
  const isConfirm = isRecord(properties) && Object.keys(properties).length === 0
  return invocation.wait('ask', () =>
    isConfirm ? confirm(invocation, question, schema) : fillIn(invocation, question, schema),
  )
}

/** Whatever keeps a person from being asked, and from answering, is not consent, and not an error either. */
async function confirm({ ctx, asker, hasDesk }: Invocation, question: string, jsonSchema: object): Promise<Outcome> {
  try {
    const { action } = await ctx.elicit.form(question, validatedByApp, {
      jsonSchema,
      asker,
      // Never by the model, which could answer for the person.
      fallback: hasDesk ? 'desk' : 'refuse',
      ...expiry(ctx),
    })
    return { action }
  } catch (error) {
    if (error instanceof AskExpiredError) return { action: 'cancel' }
    if (error instanceof ElicitationNotAvailableError) return { action: 'decline' }
    throw error
  }
}

async function fillIn({ ctx, asker }: Invocation, question: string, jsonSchema: Params): Promise<Outcome> {
  const initial = defaultsOf(jsonSchema)
  const outcome = await ctx.elicit.form(question, validatedByApp, { jsonSchema, initial, asker, ...expiry(ctx) })
  return outcome.action === 'accept' ? { action: 'accept', value: outcome.content } : { action: outcome.action }
}

/** An application that asks again sends what the person typed, which may break a rule: it is there to be mended. */
function defaultsOf({ properties }: Params): Params {
  const fields = Object.entries(isRecord(properties) ? properties : {})
  return Object.fromEntries(fields.flatMap(([name, field]) => (isRecord(field) ? [[name, field.default]] : [])))
}

/** An hour in a client; in a task and on the desk, as long as the server gives those. */
function expiry({ agentCapabilities, clientCapabilities }: Context): { timeoutMs?: number } {
  const isInClient = agentCapabilities.elicitation !== undefined && clientCapabilities.extensions?.[tasks] === undefined
  return isInClient ? { timeoutMs: hourMs } : {}
}

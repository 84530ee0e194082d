// `elicitation/request`: an application's question, put to the person of the call it belongs to.

import type { AnsweredBy, NoAnswer } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import { errorCodes, isRecord, type Params, RpcError } from '@beckon/core/json-rpc'
import type { Context } from 'beckon'
import { readMessage } from 'beckon/desk/adapter'
import type { Invocation } from './invocation.js'

/** What an application gets back. */
interface Outcome {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly value?: unknown
  /** Why the person declined, in their words. */
  readonly reason?: string
  /** Who answered, where that is known. */
  readonly by?: readonly AnsweredBy[]
  /** Why nobody answered. */
  readonly why?: NoAnswer
}

interface Shown {
  readonly question: string
  readonly show: readonly Block[]
}

/** The application validates answers itself: here only the form has to hold. */
const validatedByApp = {
  '~standard': { version: 1, vendor: 'beckon-gateway', validate: (value: unknown) => ({ value }) },
} as const

const hourMs = 60 * 60 * 1000
const tasks = 'io.modelcontextprotocol/tasks'

export function ask(invocation: Invocation, { question: said, schema, _meta }: Params): Promise<Outcome> {
  if (typeof said !== 'string') throw new RpcError(errorCodes.invalidParams, '`question` must be a string.')
  if (!isRecord(schema) || schema.type !== 'object')
    throw new RpcError(errorCodes.invalidParams, '`schema` must be the JSON Schema of an object.')
  // What is shown beside the question is in it as text. Where the two are not the same, the text is what counts.
  const { question, blocks: show } = readMessage(said, _meta)
  return invocation.wait('ask', () =>
    isYesOrNo(schema) ? confirm(invocation, { question, show }) : fillIn(invocation, { question, show }, schema),
  )
}

/** Nothing to fill in, and no rule beside that: what has one is looked at as a form, and refused as one. */
function isYesOrNo({
  type: _,
  properties = {},
  required = [],
  $schema: __,
  additionalProperties: ___,
  ...others
}: Params) {
  const isEmpty = isRecord(properties) && Object.keys(properties).length === 0
  return isEmpty && Array.isArray(required) && required.length === 0 && Object.keys(others).length === 0
}

/** Whatever keeps a person from being asked, and from answering, is not consent, and not an error either. */
async function confirm({ ctx, asker, hasDesk }: Invocation, shown: Shown): Promise<Outcome> {
  const outcome = await ctx.confirm.outcome({
    ...shown,
    asker,
    // Never by the model, which could answer for the person.
    fallback: hasDesk ? 'desk' : 'refuse',
    ...expiry(ctx),
  })
  // The protocol has no word for it, and applications that know no `why` take a decline for what it is: no consent.
  return outcome.why === 'no-capability' ? { ...outcome, action: 'decline' } : outcome
}

async function fillIn({ ctx, asker }: Invocation, { question, show }: Shown, jsonSchema: Params): Promise<Outcome> {
  const initial = defaultsOf(jsonSchema)
  const outcome = await ctx.elicit.form(question, validatedByApp, { jsonSchema, initial, asker, show, ...expiry(ctx) })
  if (outcome.action === 'accept') return { action: 'accept', value: outcome.content }
  const { action } = outcome
  return action === 'decline' ? { action, ...reasonOf(outcome) } : { action, ...whyOf(outcome) }
}

function reasonOf({ reason }: { readonly reason?: string }): Pick<Outcome, 'reason'> {
  return reason === undefined ? {} : { reason }
}

function whyOf({ why }: { readonly why?: NoAnswer }): Pick<Outcome, 'why'> {
  return why === undefined ? {} : { why }
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

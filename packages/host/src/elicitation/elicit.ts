// One elicitation: onto the desk, and back. Whatever goes wrong on the way is told to the log and cancels: nobody
// decided anything.
import { randomUUID } from 'node:crypto'
import { type Content, checkContent } from '@beckon/core'
import type { ElicitResult } from '@modelcontextprotocol/client'
import type { DeskOutcome } from 'beckon/desk/adapter'
import type { AnswerOptions } from '../answer-options.js'
import type { ConnectionAsks } from '../connection-asks.js'
import type { Completions } from './completions.js'
import { deskRequest, type ElicitationParams, type Put } from './desk-request.js'

/** A tool call, as a person sees it. */
export interface Subject {
  readonly tool: string
  readonly input: unknown
  /** Whether it can destroy something, as far as that is known. */
  readonly isDestructive?: boolean
}

export interface ElicitOptions {
  readonly asks: ConnectionAsks
  readonly completions: Completions
  /** Whether the server is told who answered a yes or no. */
  readonly tellsWho: boolean
  readonly log: NonNullable<AnswerOptions['log']>
  /** The call that asks, where it is known. */
  readonly subject?: Subject | undefined
  /** Withdraws the ask. */
  readonly signal: AbortSignal
}

/**
 * Where a server of ours finds why a person declined, why nobody answered, and who it was: in the content, which means nothing
 * where there is nothing to fill in, or without an accept. The protocol has no place for it, and the official client lets no
 * `_meta` of an answer through on 2026-07-28.
 */
const reasonField = 'beckon/reason'
const whyField = 'beckon/why'
const byField = 'beckon/by'

const consent = { action: 'accept', content: {} } as const

export async function elicit(params: ElicitationParams, options: ElicitOptions): Promise<ElicitResult> {
  const { asks, log } = options
  try {
    const put = deskRequest(params)
    for (const name of put.leftOut) {
      log(`${asks.server} asks for "${name}", which cannot be shown. It is left out.`, 'left out')
    }
    return await ask(put, params.elicitationId, options)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log(`An elicitation of ${asks.server} was cancelled. ${reason}`, 'cancelled')
    return { action: 'cancel' }
  }
}

async function ask(put: Put, elicitationId: unknown, options: ElicitOptions): Promise<ElicitResult> {
  const { asks, completions, subject, signal } = options
  const withdrawal = new AbortController()
  const ended = AbortSignal.any([signal, withdrawal.signal])
  const { tool, input, isDestructive: destructive } = subject ?? {}
  const outcome = asks.ask({ tool, input, destructive, asker: put.asker }, { ...put.request, id: randomUUID() }, ended)
  if (put.request.url === undefined || typeof elicitationId !== 'string')
    return resultOf(put, await outcome, options.tellsWho)
  // A person who completed the page has agreed to visit it, wherever they did so.
  const completed = completions.wait(elicitationId, ended).then(isDone => (isDone ? consent : outcome))
  const first = await Promise.race([outcome, completed])
  withdrawal.abort()
  return resultOf(put, first, false)
}

function resultOf({ form, request }: Put, outcome: DeskOutcome, tellsWho: boolean): ElicitResult {
  const isConfirm = form !== undefined && request.form === undefined
  const who = tellsWho && isConfirm ? whoIn(outcome) : {}
  if (outcome.action === 'decline')
    return result('decline', { ...(outcome.reason !== undefined && { [reasonField]: outcome.reason }), ...who })
  if (outcome.action === 'cancel')
    return result('cancel', { ...(outcome.why !== undefined && { [whyField]: outcome.why }), ...who })
  if (form === undefined) return { action: 'accept' }
  if (isConfirm) return { action: 'accept', content: who }
  const checked = checkContent(form, outcome.content)
  if (checked.issues !== undefined) {
    const reasons = checked.issues.map(({ path, message }) => [...path, message].join(': '))
    throw new Error(`The desk took an answer that does not fit. ${reasons.join(' ')}`)
  }
  return { action: 'accept', content: checked.value }
}

function result(action: 'decline' | 'cancel', content: Content): ElicitResult {
  return Object.keys(content).length === 0 ? { action } : { action, content }
}

/** Names, since the server has no way to check what a principal of this desk is. */
function whoIn({ by = [] }: DeskOutcome): Content {
  const names = by.flatMap(one => ('rule' in one ? `rule ${one.rule}` : (one.name ?? one.principal ?? [])))
  return names.length === 0 ? {} : { [byField]: names }
}

// One elicitation: onto the desk, and back. Whatever goes wrong on the way is told to the log and cancels: nobody
// decided anything.
import { randomUUID } from 'node:crypto'
import { checkContent } from '@beckon/core'
import type { ElicitResult } from '@modelcontextprotocol/client'
import type { AnswerOptions } from '../answer-options.js'
import type { AskTerms, DeskOutcome } from '../desk/asking-desk.js'
import type { Place } from '../desk/place.js'
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
  readonly place: Place
  readonly completions: Completions
  readonly terms: AskTerms
  readonly log: NonNullable<AnswerOptions['log']>
  /** The call that asks, where it is known. */
  readonly subject?: Subject | undefined
  /** Withdraws the ask. */
  readonly signal: AbortSignal
}

/** Where a server of ours finds why a person declined: the protocol has no place for it. */
const reasonMeta = 'beckon/reason'

const consent = { action: 'accept', content: {} } as const

export async function elicit(params: ElicitationParams, options: ElicitOptions): Promise<ElicitResult> {
  const { place, log } = options
  try {
    const put = deskRequest(params)
    for (const name of put.leftOut) {
      log(`${place.server} asks for "${name}", which cannot be shown. It is left out.`, 'left out')
    }
    return await ask(put, params.elicitationId, options)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log(`An elicitation of ${place.server} was cancelled. ${reason}`, 'cancelled')
    return { action: 'cancel' }
  }
}

async function ask(put: Put, elicitationId: unknown, options: ElicitOptions): Promise<ElicitResult> {
  const { place, completions, terms, subject, signal } = options
  const withdrawal = new AbortController()
  const ended = AbortSignal.any([signal, withdrawal.signal])
  const about = subject && { 'beckon/tool': subject.tool, 'beckon/arguments': subject.input }
  const warning = subject?.isDestructive && { 'beckon/destructive': true }
  const _meta = { ...about, ...warning, ...put.asker }
  const outcome = place.ask(
    { ...put.request, id: randomUUID(), ...(Object.keys(_meta).length > 0 && { _meta }) },
    subject?.tool ?? place.server,
    {
      ...terms,
      signal: ended,
    },
  )
  if (put.request.url === undefined || typeof elicitationId !== 'string') return resultOf(put, await outcome)
  // Whoever completed the page has agreed to visit it, wherever they did so.
  const completed = completions.wait(elicitationId, ended).then(isDone => (isDone ? consent : outcome))
  const first = await Promise.race([outcome, completed])
  withdrawal.abort()
  return resultOf(put, first)
}

function resultOf({ form }: Put, outcome: DeskOutcome): ElicitResult {
  if (outcome.action === 'decline' && outcome.reason !== undefined)
    return { action: 'decline', _meta: { [reasonMeta]: outcome.reason } }
  if (outcome.action !== 'accept') return { action: outcome.action }
  if (form === undefined) return { action: 'accept' }
  const checked = checkContent(form, outcome.content)
  if (checked.issues !== undefined) {
    const reasons = checked.issues.map(({ path, message }) => [...path, message].join(': '))
    throw new Error(`The desk took an answer that does not fit. ${reasons.join(' ')}`)
  }
  return { action: 'accept', content: checked.value }
}

// Whether an agent may run a tool, asked on a desk: what every framework's own way of approval comes down to.
//
// Threat: a call that runs without anyone having let it, or by what was said of another. The ask has the very arguments that
// would run, and its id stands for them: the same id with others is refused by the desk. Nothing but an accept approves.
import { plainName } from '@beckon/core'
import { type AskDesk, type AskSubject, type DeskOutcome, type OpenedAsk, remoteDeskFrom } from 'beckon/desk/adapter'
import type { AskTerms } from '../connection-asks.js'

/** A call of a tool that an agent wants to make. */
export interface ToolCall {
  /** Stands for it in its run, also after a restart. */
  readonly id: string
  readonly tool: string
  /** The arguments. */
  readonly input: unknown
  /** Whether it can destroy something, where that is known for this call. */
  readonly destructive?: boolean | undefined
}

/** What people said; `reason` is a sentence for the model. */
export type Approval = { readonly approved: true } | { readonly approved: false; readonly reason: string }

/** Asks on a desk whether a call may run. Aborting withdraws the ask: nobody needs the answer any more. */
export type Approve = (call: ToolCall, signal?: AbortSignal) => Promise<Approval>

export interface ApprovalOptions {
  /** Who asks, as people see it. */
  readonly agent: string
  /** Of the conversation. An agent that starts again with the same one finds what it asked before. */
  readonly run: string
  /** Whether a tool can destroy something: then a person is warned. Default: any may that does not say otherwise. */
  readonly isDestructive?: (tool: string) => boolean
  /** Who may answer, and until when. Default: anyone on the desk, for 24 hours. */
  readonly terms?: AskTerms
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Approvals of an agent's tool calls on a desk, which may be given by its address: `https://name:token@desk.example`.
 *
 * @example
 * const approve = approvalsOn(desk, { agent: 'billing', run: threadId })
 * const { approved } = await approve({ id: call.id, tool: call.name, input: call.args })
 */
export function approvalsOn(desk: AskDesk | string, options: ApprovalOptions): Approve {
  const { agent, run, isDestructive = () => true, terms: { timeoutMs = dayMs, ...policy } = {} } = options
  const opened = typeof desk === 'string' ? remoteDeskFrom(desk) : desk

  return async function approve({ id, tool, input, destructive = isDestructive(tool) }, signal) {
    const subject: AskSubject = { server: plainName(agent) || 'agent', call: run, tool, input, destructive }
    const request = { id: `approval-${id}`, message: `Let "${plainName(tool)}" run?`, approves: true }
    const ask = await opened.open(subject, request, { policy, expiresAt: Date.now() + timeoutMs })
    return approvalOf(tool, await outcomeOf(ask, signal))
  }
}

/** One ask stands for an id, so one approval would do for all that have it. @throws Error where several that may run have the same */
export function eachHasItsOwn(ids: readonly string[]): void {
  const [twice] = ids.filter((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined)
    throw new Error(`The id "${twice}" stands for several calls that want approval. Give each its own.`)
}

async function outcomeOf(ask: OpenedAsk, signal: AbortSignal | undefined): Promise<DeskOutcome> {
  try {
    return await ask.outcome(signal)
  } catch (error) {
    if (signal?.aborted !== true) throw error
    // One that cannot be withdrawn expires.
    await ask.withdraw().catch(() => {})
    throw signal.reason
  }
}

function approvalOf(tool: string, outcome: DeskOutcome): Approval {
  if (outcome.action === 'accept') return { approved: true }
  const said = outcome.action === 'decline' && outcome.reason !== undefined
  const words =
    outcome.action === 'decline'
      ? `A person did not let "${tool}" run.${said ? ` They said: ${JSON.stringify(outcome.reason)}.` : ''}`
      : `Nobody let "${tool}" run: the ask ${outcome.why === 'expired' ? 'expired' : 'was cancelled'}.`
  return { approved: false, reason: `${words} Do not call it again unless you are asked to.` }
}

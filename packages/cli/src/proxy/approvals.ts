// The proxy as an approval gateway: a call waits on the desk until people let it run, with other arguments perhaps. The desk's
// rules may decide in their place.
//
// Threat: a model or a client that gets a call past the people. What goes on to the server is what was approved, and nothing that a
// request brings says that it was: a round goes on only by a state that this proxy made up for a call that was let run, once, and
// for the client that it was given to. The server's own state, which somebody might guess or send again, stays here.
import { randomBytes, randomUUID } from 'node:crypto'
import { askUntilValid, dropOldest } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
import {
  type AskDesk,
  type AskSubject,
  type DeskOutcome,
  type DeskRequest,
  type OpenedAsk,
  reportOf,
} from 'beckon/desk/adapter'
import { type Fields, fields } from '../fields.js'
import { editableArguments, isSameJson } from './arguments-form.js'
import { TaskReports } from './task-reports.js'
import { ToolList } from './tool-list.js'
import type { Upstream } from './upstream.js'

/** What becomes of a call: it runs with these parameters, or it does not, and the model is told why. */
export type Verdict = Approved | { readonly refusal: Fields }

export interface Approved {
  readonly params: Fields
  readonly isChanged: boolean
  /** Tells those who approved it what came of the call. */
  readonly report: (end: Parameters<typeof reportOf>[0]) => void
}

/** How long a call can be approved. */
const approvableMs = 24 * 60 * 60 * 1000
/** So often a person is asked whose changes do not fit the tool's schema. */
const attempts = 5
/** Rounds that may go on. Beyond this the oldest are let go. */
const maxRounds = 1_000

/** A call that was let run, as it goes on. */
export interface Round extends Pick<Approved, 'params' | 'report'> {
  /** The server's own. */
  readonly state: string
  /** Of the client. */
  readonly scope: string | undefined
}

export class Approvals {
  readonly #desk: AskDesk
  readonly #tools = new WeakMap<Upstream, ToolList>()
  /** Calls that were let run and have asked their client something, by the state that it brings back. */
  readonly #rounds = new Map<string, Round>()
  /** Calls that were let run and became tasks. */
  readonly tasks: TaskReports = new TaskReports()

  constructor(desk: AskDesk) {
    this.#desk = desk
  }

  /** Asks whether a call may run. Aborting takes the ask off the desk. @throws for arguments that nobody can be shown */
  async decide(upstream: Upstream, params: Fields, signal: AbortSignal): Promise<Verdict> {
    if (params.arguments !== undefined && !isRecord(params.arguments))
      throw invalid('The arguments of a call are an object.')
    const tool = await this.#toolsOf(upstream).find(String(params.name))
    const input = fields(params.arguments)
    let opened: OpenedAsk | undefined
    const subject = subjectOf(upstream.name, String(params.name), {
      input,
      annotations: fields(tool?.annotations),
    })
    const question = `Let "${subject.tool}" run?`
    const editable = tool && editableArguments(fields(tool.inputSchema), input)
    const ask = async (request: Pick<DeskRequest, 'message' | 'form'>, attempt: number) => {
      opened = await this.#open(subject, { id: `approval-${attempt}`, approves: true, ...request })
      return outcomeOf(opened, signal)
    }
    const outcome =
      editable === undefined
        ? await ask({ message: question }, 1)
        : await askUntilValid({ question, attempts, ...editable }, async ({ question: message, form }, attempt) =>
            ask({ message, form: attempt === 1 ? form : await editable.told(form) }, attempt),
          )
    if (outcome.action !== 'accept') return { refusal: refusalFor(wordsFor(String(params.name), outcome)) }
    const given = editable === undefined ? input : fields(outcome.content)
    const isChanged = !isSameJson(given, input)
    // A rule is about the arguments that it was shown, and changes none.
    if (isChanged && isByRules(outcome))
      return { refusal: refusalFor(`No rule allows "${subject.tool}" with other arguments.`) }
    const report: Approved['report'] = end => {
      const what = reportOf(end)
      // The call has ended, whether or not anybody hears of it.
      if (what !== undefined) opened?.report?.(what).catch(() => {})
    }
    return { params: isChanged ? { ...params, arguments: given } : params, isChanged, report }
  }

  /** A result for the client: its state goes on with the call that was let run, and a model is told what was changed. */
  passed(result: Fields, { params, isChanged, report }: Approved, scope: string | undefined): Fields {
    if (typeof result.requestState === 'string')
      return { ...result, requestState: this.#keep({ params, report, state: result.requestState, scope }) }
    if (result.resultType === 'task' || result.task !== undefined) this.tasks.began(scope, result, report)
    else report({ result: { ...result } })
    if (!isChanged || !Array.isArray(result.content)) return result
    const text = `Before "${params.name}" ran, a person changed its arguments to ${JSON.stringify(params.arguments)}`
    return { ...result, content: [{ type: 'text', text }, ...result.content] }
  }

  /** The call that a round goes on with. @throws for one that was not let run */
  goingOn(requestState: unknown, scope: string | undefined): Round {
    const round = this.#rounds.get(String(requestState))
    this.#rounds.delete(String(requestState))
    if (round === undefined || round.scope !== scope)
      throw invalid('Nobody let this call run, or its time is over. Call the tool again.')
    return round
  }

  #open(subject: AskSubject, request: DeskRequest): Promise<OpenedAsk> {
    return this.#desk.open(subject, request, { expiresAt: Date.now() + approvableMs })
  }

  #toolsOf(upstream: Upstream): ToolList {
    const known = this.#tools.get(upstream) ?? new ToolList(upstream)
    this.#tools.set(upstream, known)
    return known
  }

  #keep(round: Round): string {
    const given = randomBytes(18).toString('base64url')
    this.#rounds.set(given, round)
    dropOldest(this.#rounds, maxRounds)
    return given
  }
}

function invalid(message: string): Error {
  return Object.assign(new Error(message), { code: -32602 })
}

async function outcomeOf(opened: OpenedAsk, signal: AbortSignal): Promise<DeskOutcome> {
  const withdraw = () => void opened.withdraw().catch(() => {})
  signal.addEventListener('abort', withdraw, { once: true })
  if (signal.aborted) withdraw()
  try {
    return await opened.outcome(signal)
  } finally {
    signal.removeEventListener('abort', withdraw)
  }
}

function subjectOf(server: string, tool: string, { input, annotations }: { input: Fields; annotations: Fields }) {
  const isReadOnly = annotations.readOnlyHint === true
  // As the protocol has it: what says nothing of itself may destroy something.
  const destructive = !isReadOnly && annotations.destructiveHint !== false
  return { server, tool, input, call: randomUUID(), destructive, readOnly: isReadOnly } satisfies AskSubject
}

function refusalFor(why: string): Fields {
  const text = `${why} It did not run. Do not call it again unless you are asked to.`
  return { content: [{ type: 'text', text }], isError: true }
}

function wordsFor(tool: string, outcome: DeskOutcome): string {
  if (outcome.action === 'decline') {
    const { reason } = outcome
    const words = reason === undefined ? '' : JSON.stringify(reason)
    if (isByRules(outcome))
      return `A rule of this desk does not allow "${tool}".${words === '' ? '' : ` Its reason: ${words}.`}`
    return `A person did not let "${tool}" run.${words === '' ? '' : ` They said: ${words}.`}`
  }
  const isExpired = outcome.action === 'cancel' && outcome.why === 'expired'
  return isExpired ? `Nobody said in time whether "${tool}" may run.` : `The approval of "${tool}" was cancelled.`
}

/** Whether no person said it. */
function isByRules({ by = [] }: DeskOutcome): boolean {
  return by.length > 0 && by.every(one => 'rule' in one)
}

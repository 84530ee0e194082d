import { AskExpiredError, ElicitationNotAvailableError } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { AskSettings } from '../author/ask-person.js'
import { isUrlError, pageFallback, pageWire, tellComplete, urlRequired } from '../author/ask-url.js'
import { callParts } from '../author/call-internals.js'
import type { Context } from '../author/context.js'
import { sendAsk } from '../author/send-ask.js'
import type { Ending } from '../call/ask.js'
import type { Call } from '../call/call.js'
import { digest } from '../crypto/digest.js'
import { randomId } from '../crypto/random-id.js'
import { Cell } from '../store/handles/index.js'
import type { ExternalWait } from '../waits/waits.js'
import { type BegunFlow, beginFlow, type FlowIds, type FlowStart } from './begin-flow.js'
import type { Flow } from './flow.js'
import { type FlowEnd, type UnfinishedEnd, waitKey } from './flow-end.js'
import { type FlowRecord, isOpen } from './flow-records.js'
import { type Flows, flowsIn } from './flows.js'

export interface FlowOptions<Data = unknown> {
  message: string
  /** What tells it apart from another flow at the same place of the call: a digest of what its pages show. */
  about?: string | undefined
  /** What is shown beside the message. */
  show?: readonly Block[] | undefined
  /** Says where the flow leads and what its pages need; called once, when it begins. */
  begin: (ids: FlowIds) => FlowStart<Data> | Promise<FlowStart<Data>>
  /** How long the person may take. Default: 5 minutes. */
  timeoutMs?: number | undefined
}

interface Run<Result = unknown> {
  readonly flows: Flows
  readonly flow: Flow<unknown, Result>
  readonly call: Call
  readonly settings: AskSettings
  readonly options: FlowOptions
}

/**
 * Sends the person of a call to a page of ours, and waits until they are done there. For a client that cannot open pages
 * the end is a link; the same call made again then goes on with the same flow.
 * @throws ElicitationNotAvailableError when the person cannot be reached, and nobody could make the same call again
 */
export function runFlow<Data, Result>(
  ctx: Context,
  flow: Flow<Data, Result>,
  options: FlowOptions<NoInfer<Data>>,
): Promise<FlowEnd<Result>> {
  return runFlowOf(callParts(ctx), flow, options)
}

/** The same for a call from the inside. */
export function runFlowOf<Data, Result>(
  { call, settings }: Pick<Run, 'call' | 'settings'>,
  flow: Flow<Data, Result>,
  options: FlowOptions<NoInfer<Data>>,
): Promise<FlowEnd<Result>> {
  const flows = flowsIn(settings)
  if (flows === undefined) throw new TypeError(`${flow.name} works on a server from createServer().`)
  const run: Run<Result> = { flows, flow, call, settings, options }
  const wire = pageWire(call, settings)
  if (wire !== undefined && !isUrlError(call, settings)) return askAndWait(run)
  // In a step, since what it finds is gone when it is run again.
  return call.step(`flow ${flow.name}`, () => leaveLink(run))
}

async function askAndWait<Result>(run: Run<Result>): Promise<FlowEnd<Result>> {
  const { call, options } = run
  const flowId = call.nextId(options.about === undefined ? 'flow' : `flow ${options.about}`)
  const ids = { flowId, elicitationId: call.nextId('url') }
  const begun = await begin(run, ids)
  if ('kind' in begun) return begun
  const refused = await ask(run, ids, begun)
  if (refused !== undefined) return refused
  try {
    const end = await call.hold(endOf(run, ids, begun.expiresAt), begun.expiresAt)
    if (end.kind === 'done') tellComplete(call, ids.elicitationId)
    return end
  } catch (error) {
    if (error instanceof AskExpiredError) return { kind: 'expired' }
    throw error
  }
}

type Ids = Pick<FlowIds, 'flowId' | 'elicitationId'>

/** Begins it; what goes wrong in that is the end. */
async function begin(run: Run, ids: Ids): Promise<BegunFlow | UnfinishedEnd> {
  const { flows, flow, call, settings, options } = run
  const { message, begin, timeoutMs = settings.expiryMs.url } = options
  const { allowHttp } = settings
  try {
    const begun = await beginFlow(flows, call, { flow, message, timeoutMs, allowHttp, ids, begin })
    if (flow.endsBy === 'elicitation')
      await flows.completions.register(ids.elicitationId, { call: ids.flowId, caller: null }, begun.expiresAt)
    return begun
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { kind: 'failed', reason: `The page could not be prepared: ${reason.replace(/\.?$/, '.')}` }
  }
}

/** Asks whether the person will go there. Undefined when they will. */
function ask(run: Run, ids: Ids, { link, expiresAt }: BegunFlow): Promise<UnfinishedEnd | undefined> {
  const { call, settings, options } = run
  const { message, show } = options
  const words = { message, ...(show !== undefined && { show }) }
  const url = { kind: 'url', ...words, url: link, elicitationId: ids.elicitationId } as const
  // Not an async function, whose frame every suspended call would hold.
  const timeoutMs = Math.max(0, expiresAt - call.now())
  return sendAsk(call, settings, url, { timeoutMs, fallback: pageFallback(settings) }).then(ending =>
    refusedBy(ending, run, ids),
  )
}

async function refusedBy(ending: Ending, { flows, call }: Run, { flowId }: Ids): Promise<UnfinishedEnd | undefined> {
  if (ending.kind === 'failed') throw new ElicitationNotAvailableError('url', { cause: ending.error })
  const action = ending.kind === 'outcome' ? ending.outcome.action : 'cancel'
  if (action === 'accept') return undefined
  // The link is dead from here on.
  await flows.records.change(flowId, known =>
    isOpen(known, call.now())
      ? { ...known, status: 'failed', reason: 'This was declined where you were asked.' }
      : undefined,
  )
  if (ending.kind === 'expired') return { kind: 'expired' }
  if (ending.kind !== 'outcome' || ending.outcome.action !== 'decline') return { kind: 'cancelled' }
  const { reason } = ending.outcome
  return { kind: 'declined', ...(reason !== undefined && { reason }) }
}

/** The client cannot be sent anywhere: the model gets the link, and the same call made again takes the flow up. */
async function leaveLink<Result>(run: Run<Result>): Promise<FlowEnd<Result>> {
  const { flows, flow, call, settings, options } = run
  const isKnown = call.principal !== undefined || call.sessionId !== undefined
  if (settings.isSilent || !isKnown) throw new ElicitationNotAvailableError('url')
  const about = [flows.sessionIdOf(call), flow.name, options.message, options.about ?? null, call.target]
  const cell = new Cell<string>(flows.store, `linked/${digest(about)}`)
  const kept = await cell.get()
  const known = kept === undefined ? undefined : await flows.records.findOf(flow, kept)
  if (kept !== undefined && known !== undefined) {
    const end = await look(run, known)
    // Of two calls at once, one goes on with what was done.
    if (end !== undefined && (await cell.delete())) return end
    if (end === undefined && call.now() < known.expiresAt) return linked(run, kept, known.elicitationId)
  }
  const ids = { flowId: randomId(), elicitationId: randomId() }
  const begun = await begin(run, ids)
  if ('kind' in begun) return begun
  await cell.set(ids.flowId, { expiresAt: begun.expiresAt + keepMs })
  return linked(run, ids.flowId, ids.elicitationId)
}

/** How long a link that was followed in time can be taken up after it expired. */
const keepMs = 60 * 60 * 1000

async function linked(
  { flows, call, settings, options }: Run,
  flowId: string,
  elicitationId: string,
): Promise<UnfinishedEnd> {
  const { message } = options
  const url = `${await flows.address.base()}/beckon/go/${flowId}`
  if (isUrlError(call, settings)) throw urlRequired(call, settings, { message, url, elicitationId })
  return { kind: 'linked', url, message }
}

function endOf<Result>(
  run: Run<Result>,
  { flowId, elicitationId }: Ids,
  expiresAt: number,
): ExternalWait<FlowEnd<Result>> {
  const { flows, flow, options } = run
  const { message } = options
  const key = flow.endsBy === 'elicitation' ? flows.completions.keyOf(elicitationId) : waitKey(flowId)
  const find = () => flows.records.findOf(flow, flowId)
  return flows.waits.wait({ key, message, expiresAt, look: async () => look(run, await find()) })
}

/** How a flow has ended, or undefined while it has not. */
async function look<Result>(
  { flows, flow }: Run,
  record: FlowRecord<unknown, Result> | undefined,
): Promise<FlowEnd<Result> | undefined> {
  if (record === undefined) return { kind: 'expired' }
  if (record.status === 'failed') return { kind: 'failed', reason: record.reason ?? 'The flow failed.' }
  if (record.status === 'done') return { kind: 'done', result: record.result ?? null }
  const isDone = flow.endsBy === 'elicitation' && (await flows.completions.isDone(record.elicitationId))
  return isDone ? { kind: 'done', result: null } : undefined
}

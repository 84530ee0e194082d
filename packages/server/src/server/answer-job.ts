// One job, over the wire that its client speaks: run it, and make the reply.
import { randomUUID } from 'node:crypto'
import { CallCancelledError } from '@beckon/core'
import type { AskSettings } from '../author/ask-person.js'
import { CallContext } from '../author/call-context.js'
import type { Fallback, Subject } from '../author/context.js'
import { ToolResult } from '../author/results.js'
import { Call } from '../calls/call.js'
import type { Revival } from '../calls/detached/detached-calls.js'
import type { About, Encoded } from '../calls/detached/line.js'
import { Journal } from '../calls/journal.js'
import type { RoundReply } from '../calls/round.js'
import type { End, Peer, Target, Wire } from '../calls/wire.js'
import { compose, type Middleware } from '../middleware/middleware.js'
import { elicitationModes } from '../wires/capabilities.js'
import { DeskAttendant, waitingText } from '../wires/desk.js'
import { inputRequest, readReply } from '../wires/elicitation.js'
import type { Incoming } from '../wires/incoming.js'
import { PushWire } from '../wires/push.js'
import type { Relayed } from '../wires/relay.js'
import { hasRpcCode, RequestError } from '../wires/request-error.js'
import { tasksExtension } from '../wires/tasks.js'
import { whenCancelled } from '../wires/when-cancelled.js'
import type { ToolConfig } from './definitions.js'
import type { DeskAttachment, Engine } from './engine.js'
import { failure } from './results.js'

type Result = Record<string, unknown>

/** What a request runs. */
export interface Job {
  readonly subject: Subject
  readonly target: Target
  /** Undefined for a prompt and a resource. */
  readonly tool: Pick<ToolConfig, 'annotations' | 'task' | 'timeoutMs' | 'urlError'> | undefined
  readonly middleware: readonly Middleware[]
  readonly fallback: Fallback
  run(ctx: CallContext): Promise<unknown>
  /** The result as the protocol has it, from what the handler or a middleware returned. */
  resultOf(returned: unknown): Promise<Result> | Result
}

/** Runs a job for a request. Throws what leaves as a JSON-RPC error. */
export function answerJob(engine: Engine, incoming: Incoming, job: Job, relayed?: Relayed): Promise<Result> {
  return engine.telemetry.trace(traceName(job), incoming.trace, () => answerWith(engine, incoming, job, relayed))
}

function traceName({ target, subject }: Job): string {
  return `${target.method} ${subject.name}`
}

async function answerWith(engine: Engine, incoming: Incoming, job: Job, relayed: Relayed | undefined): Promise<Result> {
  const modes = elicitationModes(incoming, engine.settings.quirks)
  const pushes = incoming.send !== undefined && (modes !== undefined || job.fallback !== 'relay')
  try {
    if (modes === undefined && job.fallback === 'desk' && engine.desk !== undefined && job.tool !== undefined) {
      return await answerDesk(engine, engine.desk, incoming, job)
    }
    return await (pushes ? answerPush(engine, incoming, job) : answerRound(engine, incoming, { job, relayed }))
  } catch (error) {
    return failure(error, incoming)
  }
}

/** How a call that goes on by itself ends. */
export function encodeEnd(end: End<Result>, { peer }: Call<Result>): Encoded | Promise<Encoded> {
  return encode(() => readEnd(end, { method: 'tools/call', revision: peer.revision }))
}

function decode(encoded: Encoded): Result {
  if ('result' in encoded) return encoded.result
  const { code, message, data } = encoded.error
  throw new RequestError(code, message, data)
}

/** At once, where the result is there at once, as it mostly is. */
function encode(make: () => Result | Promise<Result>): Encoded | Promise<Encoded> {
  try {
    const made = make()
    return made instanceof Promise ? made.then(result => ({ result }), encodeError) : { result: made }
  } catch (error) {
    return encodeError(error)
  }
}

function encodeError(error: unknown): Encoded {
  if (!hasRpcCode(error)) return { error: { code: -32603, message: String(error) } }
  const { code, message, data } = error
  return { error: { code, message, ...(data !== undefined && { data }) } }
}

/** How the end of a handler leaves. */
function readEnd(end: End<Result>, from: Pick<Incoming, 'method' | 'revision'>): Result {
  return end.kind === 'finished' ? end.result : failure(end.error, from)
}

async function answerPush(engine: Engine, incoming: Incoming, job: Job): Promise<Result> {
  const { clock } = engine
  const wire = new PushWire(incoming, clock)
  const call = newCall(engine, incoming, job, { id: randomUUID(), wire })
  wire.serve(call)
  call.attach(incoming)
  whenCancelled(incoming, () => call.drop(new CallCancelledError('The client cancelled the call or went away.')))
  call.run(() => runJob(engine, job, call))
  return readEnd(await call.end(), incoming)
}

function newCall(
  { clock, maxAsks, telemetry }: Engine,
  { principal }: Pick<Incoming, 'principal'>,
  { target }: Job,
  given: { id: string; wire: Wire; journal?: Journal; expiries?: ReadonlyMap<string, number> },
): Call<Result> {
  return new Call<Result>({ target, principal, journal: new Journal(), clock, maxAsks, telemetry, holdMs: 0, ...given })
}

/** The client cannot ask: the call goes on by itself, with its asks on the desk. */
async function answerDesk(engine: Engine, attachment: DeskAttachment, incoming: Incoming, job: Job): Promise<Result> {
  const reply = await attachment.calls.answer(incoming, job.target, attachment.waitMs, id => ({
    about: aboutOf(engine, job, { id, ...incoming, peer: incoming }),
    attendant: attendantOf(attachment, job, { call: id, principal: incoming.principal }),
    start(run) {
      const call = newCall(engine, incoming, job, { id, wire: run.wire })
      call.attach(incoming)
      call.run(() => runJob(engine, job, call))
      return call
    },
  }))
  return reply.kind === 'ended' ? decode(reply.end) : { ...new ToolResult().text(waitingText(job.subject.name, reply)) }
}

function attendantOf(
  { desk, server }: DeskAttachment,
  { subject: { name: tool, input } }: Job,
  { call, principal }: { call: string; principal: string | undefined },
): DeskAttendant {
  return new DeskAttendant(() => desk.attend({ id: call, server, tool, input, principal }))
}

/** What another process needs to go on with a call. */
function aboutOf(
  { version }: Engine,
  { target }: Job,
  call: Pick<Incoming, 'params' | 'principal' | 'sessionId' | 'trace'> & { id: string; peer: Peer },
): Omit<About, 'wire' | 'createdAt' | 'expiresAt'> {
  const { id, params, principal = null, sessionId = null, peer, trace } = call
  const { capabilities, revision, client } = peer
  const about = { call: id, target, params, principal, sessionId, peer: { capabilities, revision, client }, version }
  return trace === undefined ? about : { ...about, trace }
}

/** Runs a call again whose process died. */
export function reviveJob(engine: Engine, job: Job, about: About): Revival<Result> {
  const principal = about.principal ?? undefined
  const { desk } = engine
  return {
    attendant:
      about.wire === 'desk' && desk !== undefined ? attendantOf(desk, job, { call: about.call, principal }) : undefined,
    start(run, { entries, open }) {
      const expiries = new Map(open.map(({ id, expiresAt }) => [id, expiresAt]))
      const journal = new Journal([...entries])
      const call = newCall(engine, { principal }, job, { id: about.call, wire: run.wire, journal, expiries })
      call.restore(about.peer, about.sessionId ?? undefined)
      run.serve(call)
      run.keep(call)
      call.leave(run.wire)
      engine.telemetry.replayed()
      call.run(() => engine.telemetry.trace(traceName(job), about.trace, () => runJob(engine, job, call)))
      return call
    },
  }
}

async function answerRound(
  engine: Engine,
  incoming: Incoming,
  { job, relayed }: { job: Job; relayed: Relayed | undefined },
): Promise<Result> {
  const { inputResponses } = incoming
  const encoded = await engine.rounds.answer({
    incoming,
    target: job.target,
    state: relayed?.state ?? incoming.requestState,
    readReply: (kind, id) =>
      relayed?.readReply(kind, id) ??
      (inputResponses !== undefined && Object.hasOwn(inputResponses, id)
        ? readReply(kind, inputResponses[id])
        : undefined),
    start: call => runJob(engine, job, call),
    encode: reply => encode(() => replyResult(engine, incoming, job, reply)),
  })
  return decode(encoded)
}

function replyResult(
  engine: Engine,
  incoming: Incoming,
  job: Job,
  reply: RoundReply<Result>,
): Result | Promise<Result> {
  switch (reply.kind) {
    case 'open': {
      const { asks, state } = reply
      const modes = elicitationModes(incoming, engine.settings.quirks)
      const isAskable = asks.every(
        ({ ask }) => ask.kind === 'sample' || ask.kind === 'roots' || modes?.[ask.kind === 'url' ? 'url' : 'form'],
      )
      if (!isAskable) return engine.relay.result(asks, state, job.subject.name)
      const asked = { resultType: 'input_required', requestState: state }
      if (asks.length === 0)
        return job.fallback === 'relay' && !modes?.url ? engine.relay.waiting(state, job.subject.name) : asked
      const inputRequests = Object.fromEntries(asks.map(({ id, ask }) => [id, inputRequest(ask, incoming.revision)]))
      return { ...asked, inputRequests }
    }
    case 'left':
      return engine.tasks.created(reply.call)
    default:
      return readEnd(reply, incoming)
  }
}

/** Runs middleware and handler for a call. A task begins where the handler is entered. */
function runJob(engine: Engine, job: Job, call: Call<Result>): Promise<Result> {
  const { tool, subject } = job
  const ctx = new CallContext(call, subject, settingsFor(engine, job), engine.scopes)
  const stopTimer = tool?.timeoutMs === undefined ? undefined : call.limit(tool.timeoutMs)
  const returned = compose(job.middleware, ctx, () => {
    if (tool?.task !== undefined && declaresTasks(call.peer) && call.endsRounds) beginTask(engine, job, call)
    return job.run(ctx)
  })
  // Not an async function, whose frame every suspended call would hold.
  const result = returned.then(job.resultOf)
  return stopTimer === undefined ? result : result.finally(stopTimer)
}

function beginTask(engine: Engine, job: Job, call: Call<Result>): void {
  const { incoming, id, principal, sessionId, peer } = call
  const { params = {}, trace } = incoming ?? {}
  engine.tasks.begin(call, aboutOf(engine, job, { id, params, principal, sessionId, peer, trace }))
}

function settingsFor({ settings, flows }: Engine, { tool, fallback }: Job): AskSettings {
  const { annotations, urlError = false, task } = tool ?? {}
  const isGuarded = Boolean(annotations?.destructive || annotations?.requiresConfirmation)
  const { quirks, allowHttp, completions, urlSessions } = settings
  const expiryMs = task === undefined ? settings.expiryMs : { ...settings.expiryMs, ask: dayMs }
  return { quirks, allowHttp, completions, flows, urlSessions, fallback, isGuarded, urlError, expiryMs }
}

const dayMs = 24 * 60 * 60 * 1000

/** Whether a client takes tasks. */
export function declaresTasks({ capabilities }: Pick<Incoming, 'capabilities'>): boolean {
  return capabilities.extensions?.[tasksExtension] !== undefined
}

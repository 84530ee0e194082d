// One job, over the wire that its client speaks: run it, and make the reply.
import { randomUUID } from 'node:crypto'
import { CallCancelledError } from '@beckon/core'
import type { AskSettings } from '../author/ask-person.js'
import { CallContext } from '../author/call-context.js'
import type { Fallback, Subject } from '../author/context.js'
import { MovedToDesk } from '../author/move-to-desk.js'
import { ToolResult } from '../author/results.js'
import { Call, type EarlierAsks } from '../call/call.js'
import { type Entry, Journal } from '../call/journal.js'
import type { End, Peer, Target, Wire } from '../call/wire.js'
import type { Revival } from '../calls/detached/detached-calls.js'
import type { About } from '../calls/detached/line.js'
import type { RoundReply } from '../calls/round.js'
import { compose, type Middleware } from '../middleware/middleware.js'
import { type ElicitationModes, elicitationModes } from '../protocol/capabilities.js'
import { inputRequest, readReply } from '../protocol/elicitation.js'
import type { Incoming } from '../protocol/incoming.js'
import { whenCancelled } from '../protocol/when-cancelled.js'
import { DeskAttendant, handleIn, waitingText } from '../wires/desk.js'
import type { DeskRequest } from '../wires/desk-calls.js'
import { PushWire } from '../wires/push.js'
import type { Relayed } from '../wires/relay.js'
import { tasksExtension } from '../wires/tasks.js'
import type { ToolConfig } from './definitions.js'
import { decode, encode, readEnd } from './encoded.js'
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
    const desk = deskFor(engine, job)
    if (desk !== undefined && (modes === undefined || (await isOnDesk(desk, modes, incoming, job))))
      return await answerDesk(engine, desk, incoming, job)
    return await (pushes ? answerPush(engine, incoming, job) : answerRound(engine, incoming, { job, relayed }))
  } catch (error) {
    return failure(error, incoming)
  }
}

/** The desk that a job's asks go to where its client cannot put them. */
function deskFor({ desk }: Engine, { fallback, tool }: Job): DeskAttachment | undefined {
  return fallback === 'desk' && tool !== undefined ? desk : undefined
}

/** Whether a client that can put some asks, and not all, asks again for a call that went to the desk. */
async function isOnDesk({ calls }: DeskAttachment, modes: ElicitationModes, incoming: Incoming, job: Job) {
  if ((modes.form && modes.url) || incoming.requestState !== undefined) return false
  return calls.knows(incoming, deskRequest(incoming, job))
}

function deskRequest({ params }: Incoming, { target }: Job): DeskRequest {
  return { target, handle: handleIn(params.arguments) }
}

async function answerPush(engine: Engine, incoming: Incoming, job: Job): Promise<Result> {
  const { clock } = engine
  const wire = new PushWire(incoming, clock)
  const call = newCall(engine, incoming, job, { id: randomUUID(), wire })
  wire.serve(call)
  call.attach(incoming)
  whenCancelled(incoming, () => call.drop(new CallCancelledError('The client cancelled the call or went away.')))
  call.run(() => runJob(engine, job, call))
  return await finished(engine, incoming, job, await call.end())
}

/** The end of a call as its reply, or, where it has only moved, the reply from there. */
function finished(engine: Engine, incoming: Incoming, job: Job, end: End<Result>): Result | Promise<Result> {
  const desk = deskFor(engine, job)
  return end.kind === 'failed' && end.error instanceof MovedToDesk && desk !== undefined
    ? answerDesk(engine, desk, incoming, job, end.error.entries)
    : readEnd(end, incoming)
}

function newCall(
  { clock, maxAsks, telemetry }: Engine,
  { principal }: Pick<Incoming, 'principal'>,
  { target }: Job,
  given: { id: string; wire: Wire; journal?: Journal; earlier?: EarlierAsks },
): Call<Result> {
  return new Call<Result>({ target, principal, journal: new Journal(), clock, maxAsks, telemetry, holdMs: 0, ...given })
}

/** The client cannot ask: the call goes on by itself, with its asks on the desk. */
async function answerDesk(
  engine: Engine,
  attachment: DeskAttachment,
  incoming: Incoming,
  job: Job,
  learned: readonly Entry[] = [],
): Promise<Result> {
  const request = deskRequest(incoming, job)
  const reply = await attachment.calls.answer(incoming, request, attachment.waitMs, id => ({
    about: aboutOf(engine, job, { id, ...incoming, peer: incoming }),
    attendant: attendantOf(attachment, job, { call: id, principal: incoming.principal }),
    start(run) {
      const call = newCall(engine, incoming, job, { id, wire: run.wire, journal: new Journal([...learned]) })
      call.attach(incoming)
      call.run(() => runJob(engine, job, call))
      return call
    },
  }))
  return reply.kind === 'ended' ? decode(reply.end) : { ...new ToolResult().text(waitingText(job.subject.name, reply)) }
}

function attendantOf(
  { desk, server }: DeskAttachment,
  { subject: { name, input }, tool }: Job,
  { call, principal }: { call: string; principal: string | undefined },
): DeskAttendant {
  const { destructive } = tool?.annotations ?? {}
  return new DeskAttendant(() => desk.attend({ id: call, server, tool: name, input, principal, destructive }))
}

/** What another process needs to go on with a call. */
function aboutOf(
  { name: server, version }: Engine,
  { target }: Job,
  call: Pick<Incoming, 'params' | 'principal' | 'sessionId' | 'trace'> & { id: string; peer: Peer },
): Omit<About, 'wire' | 'createdAt' | 'expiresAt'> {
  const { id, params, principal = null, sessionId = null, peer, trace } = call
  const { capabilities, revision, client } = peer
  const of = { call: id, target, params, principal, sessionId, server, version }
  const about = { ...of, peer: { capabilities, revision, client } }
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
      const earlier = new Map(open.map(ask => [ask.id, ask]))
      const journal = new Journal([...entries])
      const call = newCall(engine, { principal }, job, { id: about.call, wire: run.wire, journal, earlier })
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
      const relayable = { state, tool: job.subject.name, principal: incoming.principal }
      if (!isAskable) return engine.relay.result(asks, relayable)
      const asked = { resultType: 'input_required', requestState: state }
      if (asks.length === 0) return job.fallback === 'relay' && !modes?.url ? engine.relay.waiting(relayable) : asked
      const inputRequests = Object.fromEntries(asks.map(({ id, ask }) => [id, inputRequest(ask, incoming.revision)]))
      return { ...asked, inputRequests }
    }
    case 'left':
      return engine.tasks.created(reply.call)
    default:
      return finished(engine, incoming, job, reply)
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

function settingsFor(engine: Engine, job: Job): AskSettings {
  const { settings, flows } = engine
  const { tool, fallback } = job
  const hasDesk = deskFor(engine, job) !== undefined
  const { annotations, urlError = false, task } = tool ?? {}
  const isGuarded = Boolean(annotations?.destructive || annotations?.requiresConfirmation)
  const { quirks, allowHttp, completions, urlSessions } = settings
  const expiryMs = task === undefined ? settings.expiryMs : { ...settings.expiryMs, ask: dayMs }
  return { quirks, allowHttp, completions, flows, urlSessions, fallback, hasDesk, isGuarded, urlError, expiryMs }
}

const dayMs = 24 * 60 * 60 * 1000

/** Whether a client takes tasks. */
export function declaresTasks({ capabilities }: Pick<Incoming, 'capabilities'>): boolean {
  return capabilities.extensions?.[tasksExtension] !== undefined
}

// One job, over the wire that its client speaks: hand it to the runner, and write down the reply as the protocol has it.
import type { AskSettings } from '../author/ask-person.js'
import { CallContext } from '../author/call-context.js'
import type { Fallback, Subject } from '../author/context.js'
import { compose, type Middleware } from '../author/middleware.js'
import type { AskReceipts, AskSigner } from '../author/receipts.js'
import { ToolResult } from '../author/results.js'
import { UnheardAsks } from '../author/unheard.js'
import type { Ask } from '../call/ask.js'
import type { Call } from '../call/call.js'
import type { Target } from '../call/call-types.js'
import type { Incoming } from '../call/incoming.js'
import type { Reply } from '../call/journal.js'
import type { CallRecord } from '../log/events.js'
import type { PersonRules } from '../person/rule.js'
import { type ElicitationModes, elicitationModes, showsViews, tasksExtension } from '../protocol/capabilities.js'
import { codecOf } from '../protocol/codec.js'
import { readReply } from '../protocol/elicitation.js'
import type { CallReply, CallRequest, Program } from '../runner/call-request.js'
import { handleIn, waitingText } from '../wires/desk.js'
import { DeskPresenter } from '../wires/desk-presenter.js'
import { PushWire } from '../wires/push.js'
import type { Relayed } from '../wires/relay.js'
import { describeTask } from '../wires/tasks.js'
import { isGuarded, type ToolConfig } from './definitions.js'
import { decode } from './encoded.js'
import type { DeskAttachment, Engine } from './engine.js'
import { failure } from './results.js'

type Result = Record<string, unknown>

/** What a request runs. */
export interface Job {
  readonly subject: Subject
  readonly target: Target
  /** Undefined for a prompt and a resource. */
  readonly tool:
    | Pick<
        ToolConfig,
        'annotations' | 'task' | 'timeoutMs' | 'urlError' | 'output' | 'person' | 'approval' | 'report' | 'widget'
      >
    | undefined
  /** Nobody can be asked for it, and no link is left for anybody. */
  readonly isSilent?: true
  readonly middleware: readonly Middleware[]
  readonly fallback: Fallback
  /** Whether `tasks/*` is answered here, so that a client can be given a task. */
  readonly servesTasks: boolean
  run(ctx: CallContext): Promise<unknown>
  /** The result as the protocol has it, from what the handler or a middleware returned. */
  resultOf(returned: unknown): Promise<Result> | Result
}

/** Runs a job for a request. Throws what leaves as a JSON-RPC error. */
export function answerJob(engine: Engine, incoming: Incoming, job: Job, relayed?: Relayed): Promise<Result> {
  return engine.telemetry.trace(traceName(job), incoming.trace, () => answerWith(engine, incoming, job, relayed))
}

/** What an author wrote, and nothing that a caller did: an address may say what nobody else is to know. */
function traceName({ target, subject }: Job): string {
  const registered = subject.registered ?? (subject.kind === 'resource' ? undefined : subject.name)
  return registered === undefined ? target.method : `${target.method} ${registered}`
}

/** Not an async function: most replies are waited for once, where the handler rests. */
function answerWith(engine: Engine, incoming: Incoming, job: Job, relayed: Relayed | undefined): Promise<Result> {
  const modes = elicitationModes(incoming, engine.settings.quirks)
  const failed = (error: unknown): Result => failure(error, incoming)
  const replied = (reply: CallReply): Result | Promise<Result> => {
    try {
      const result = resultOf(engine, incoming, { job, modes, reply })
      return result instanceof Promise ? result.catch(failed) : result
    } catch (error) {
      return failed(error)
    }
  }
  try {
    return engine.runner.answer(new JobRequest(engine, incoming, { job, relayed, modes })).then(replied, failed)
  } catch (error) {
    return Promise.reject(error).catch(failed)
  }
}

/** A job for one request. A class, since it is made for each: literals with closures cost several times as much. */
class JobRequest implements CallRequest<Result> {
  readonly incoming: Incoming
  readonly target: Target
  readonly state: string | undefined
  readonly clientWire: 'push' | 'rounds'
  readonly sender: PushWire | undefined
  readonly takesTasks: boolean
  readonly canRepeat: boolean
  readonly handle: string | undefined
  readonly waitMs: number
  readonly presenter: Program<Result>['presenter']
  readonly #engine: Engine
  readonly #job: Job
  readonly #relayed: Relayed | undefined

  constructor(engine: Engine, incoming: Incoming, { job, relayed, modes }: Requested) {
    const desk = deskFor(engine, job)
    const returns = job.fallback === 'relay' || asksInView(job, incoming)
    const pushes = incoming.send !== undefined && (modes !== undefined || !returns)
    this.incoming = incoming
    this.target = job.target
    this.state = relayed?.state ?? incoming.requestState
    this.clientWire = pushes ? 'push' : 'rounds'
    this.sender = pushes ? new PushWire(incoming, engine.clock) : undefined
    this.takesTasks = !pushes && job.servesTasks && declaresTasks(incoming)
    // What an ask says of who answers is known when it is made: also a client that can show everything may wait for others.
    // A client that takes tasks as well continues by the id of its task: a call that it repeats is a new call.
    this.canRepeat = desk !== undefined && !(this.takesTasks && modes?.form && modes.url)
    this.handle = desk && handleIn(incoming.params.arguments)
    this.waitMs = desk?.waitMs ?? 0
    this.presenter = desk && presenterOf(engine, desk, job)
    this.#engine = engine
    this.#job = job
    this.#relayed = relayed
  }

  start(call: Call<Result>): Promise<Result> {
    return runJob(this.#engine, this.#job, call)
  }

  readReply(kind: Ask['kind'], id: string): Reply | undefined {
    const { inputResponses } = this.incoming
    const relayed = this.#relayed?.readReply(kind, id)
    if (relayed !== undefined || inputResponses === undefined || !Object.hasOwn(inputResponses, id)) return relayed
    return readReply(kind, inputResponses[id])
  }
}

interface Requested {
  readonly job: Job
  readonly relayed: Relayed | undefined
  readonly modes: ElicitationModes | undefined
}

function presenterOf(
  engine: Engine,
  { desk, server }: DeskAttachment,
  { subject, tool: config }: Job,
): Program<Result>['presenter'] {
  const { name: tool, input } = subject
  const { destructive, readOnly } = config?.annotations ?? {}
  return (call, principal) => {
    const about = { call, server, tool, input, principal, destructive, readOnly }
    const { widgets, onError } = engine
    return new DeskPresenter(desk, about, { reports: config?.report, widgets, onError })
  }
}

/** How a durable call is run again whose process is gone. */
export function resumeJob(engine: Engine, job: Job, { trace }: CallRecord): Program<Result> {
  const desk = deskFor(engine, job)
  return {
    start: call => engine.telemetry.trace(traceName(job), trace, () => runJob(engine, job, call)),
    presenter: desk && presenterOf(engine, desk, job),
  }
}

/** The desk that a job's asks can go to. */
function deskFor({ desk }: Engine, { tool }: Job): DeskAttachment | undefined {
  return tool === undefined ? undefined : desk
}

function resultOf(
  engine: Engine,
  incoming: Incoming,
  { job, modes, reply }: { job: Job; modes: ElicitationModes | undefined; reply: CallReply },
): Result | Promise<Result> {
  switch (reply.kind) {
    case 'ended':
      return decode(reply.end)
    case 'task':
      return { resultType: 'task', ...describeTask(reply.id, reply.state) }
    case 'waiting':
      return waitingResult(job, waitingText(job.subject.name, reply))
    case 'asks': {
      const { asks, state } = reply
      const isAskable = asks.every(
        ({ ask }) => ask.kind === 'sample' || ask.kind === 'roots' || modes?.[ask.kind === 'url' ? 'url' : 'form'],
      )
      const relayed = { state, tool: job.subject.name, principal: incoming.principal }
      if (!isAskable && asksInView(job, incoming))
        return askInView(engine, job, { principal: incoming.principal, ...reply })
      if (!isAskable) return engine.relay.result(asks, relayed).then(text => waitingResult(job, text))
      if (asks.length === 0)
        return job.fallback === 'relay' && !modes?.url
          ? engine.relay.waiting(relayed).then(text => waitingResult(job, text))
          : { resultType: 'input_required', requestState: state }
      const { writeAsk } = codecOf(incoming.revision)
      const inputRequests = Object.fromEntries(asks.map(({ id, ask }) => [id, writeAsk(ask, incoming.capabilities)]))
      return { resultType: 'input_required', requestState: state, inputRequests }
    }
  }
}

/** Whether what a job asks with a widget goes to the view of its tool, where its client cannot ask. */
function asksInView({ tool }: Job, { capabilities }: Pick<Incoming, 'capabilities'>): boolean {
  return tool?.widget !== undefined && showsViews(capabilities)
}

async function askInView(
  { appAsks }: Engine,
  job: Job,
  { asks, state, principal }: Extract<CallReply, { kind: 'asks' }> & Pick<Incoming, 'principal'>,
): Promise<Result> {
  // A tool's arguments are an object.
  const from = { state, tool: job.subject.name, args: job.subject.input as Result, principal }
  const { text, meta } = await appAsks.result(asks, from)
  return { ...waitingResult(job, text), _meta: meta }
}

/** What a model is told while a person thinks. Structured content that a tool promises is not there yet, and only an error may lack it. */
function waitingResult({ tool }: Job, text: string): Result {
  const result = new ToolResult()
  return { ...(tool?.output === undefined ? result.text(text) : result.error(text)) }
}

/** Runs middleware and handler for a call. A task begins where the handler is entered. */
function runJob(engine: Engine, job: Job, call: Call<Result>): Promise<Result> {
  const { tool, subject } = job
  const settings = new JobSettings(engine, job, call)
  const ctx = new CallContext(call, subject, settings, engine.scopes)
  const stopTimer = tool?.timeoutMs === undefined ? undefined : call.limit(tool.timeoutMs)
  const returned = compose(job.middleware, ctx, () => {
    if (tool?.task !== undefined && declaresTasks(call.peer) && call.endsRounds) call.becomeTask()
    settings.unheard.clear()
    return job.run(ctx)
  })
  const result = resultOnce(returned, job, settings)
  return stopTimer === undefined ? result : result.finally(stopTimer)
}

/** Not an async function, nor with anything else in reach: every suspended call holds it. */
function resultOnce(returned: Promise<unknown>, job: Job, settings: JobSettings): Promise<Result> {
  return returned.then(given => resultFor(job, settings, given))
}

/** A result, with the statements of what was confirmed on the way to it. */
function resultFor(job: Job, { collected, unheard }: JobSettings, returned: unknown): Result | Promise<Result> {
  unheard.check()
  const result = job.resultOf(returned)
  if (collected === undefined || job.subject.kind !== 'tool') return result
  const signed = (plain: Result) => ({ ...plain, _meta: { ...(plain._meta as object), 'beckon/receipts': collected } })
  return result instanceof Promise ? result.then(signed) : signed(result)
}

const nobodyListens = new UnheardAsks(undefined)

/** What is said about asking, looked up where it is said: each suspended call would hold a copy. */
class JobSettings implements AskSettings, AskReceipts {
  readonly #engine: Engine
  readonly #job: Job
  readonly unheard: UnheardAsks
  /** Made when there is one. */
  #receipts: string[] | undefined

  constructor(engine: Engine, job: Job, call: Call<Result>) {
    this.unheard = isGuarded(job.tool?.annotations) ? new UnheardAsks(call) : nobodyListens
    this.#engine = engine
    this.#job = job
  }

  get quirks(): AskSettings['quirks'] {
    return this.#engine.settings.quirks
  }

  get allowHttp(): boolean {
    return this.#engine.settings.allowHttp
  }

  get completions(): AskSettings['completions'] {
    return this.#engine.settings.completions
  }

  get urlSessions(): AskSettings['urlSessions'] {
    return this.#engine.settings.urlSessions
  }

  get flows(): AskSettings['flows'] {
    return this.#engine.flows
  }

  get fallback(): Fallback {
    return this.#job.fallback
  }

  get hasDesk(): boolean {
    return deskFor(this.#engine, this.#job) !== undefined
  }

  get approval(): AskSettings['approval'] {
    return this.#job.tool?.approval
  }

  get person(): AskSettings['person'] {
    return personRules(this.#engine, this.#job)
  }

  get subject(): AskSettings['subject'] {
    return this.#job.subject
  }

  get files(): AskSettings['files'] {
    return this.#engine.files
  }

  get widgets(): AskSettings['widgets'] {
    return this.#engine.widgets
  }

  get hasView(): boolean {
    return this.#job.tool?.widget !== undefined
  }

  get searches(): AskSettings['searches'] {
    return this.#engine.searches
  }

  get verifier(): AskSettings['verifier'] {
    return this.#engine.verifier
  }

  /** Those of the confirms of this run, for the result. */
  get collected(): readonly string[] | undefined {
    return this.#receipts
  }

  get receipts(): AskReceipts {
    return this
  }

  get signsAll(): boolean {
    return this.#engine.receipts?.signsAll ?? false
  }

  sign(answered: Parameters<AskSigner['sign']>[0]): Promise<string> {
    const { receipts } = this.#engine
    return receipts?.sign(answered) ?? Promise.reject(new Error('This server signs nothing.'))
  }

  collect(receipt: string): void {
    this.#receipts = [...(this.#receipts ?? []), receipt]
  }

  get isSilent(): boolean {
    return this.#job.isSilent === true
  }

  get urlError(): boolean {
    return this.#job.tool?.urlError ?? false
  }

  get expiryMs(): AskSettings['expiryMs'] {
    return this.#engine.settings.expiryMs
  }
}

/** What is said about who has to be there. */
function personRules({ person: server }: Engine, { tool }: Job): PersonRules {
  return { server, tool: tool?.person, isGuarded: isGuarded(tool?.annotations) }
}

/** Whether a client takes tasks. */
export function declaresTasks({ capabilities }: Pick<Incoming, 'capabilities'>): boolean {
  return capabilities.extensions?.[tasksExtension] !== undefined
}

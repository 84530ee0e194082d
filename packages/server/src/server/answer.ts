// One request for a tool, prompt or resource: find it, choose the wire, run it, make the reply.
import { CallCancelledError } from '@beckon/core'
import type { AskSettings } from '../author/ask-person.js'
import { CallContext, type Scopes } from '../author/call-context.js'
import type { Fallback, Subject } from '../author/context.js'
import { Call, type End, type Target } from '../calls/call.js'
import type { Clock } from '../calls/clock.js'
import { digest } from '../calls/digest.js'
import { Journal } from '../calls/journal.js'
import type { RoundReply, Rounds } from '../calls/rounds.js'
import { compose, type Middleware } from '../middleware/middleware.js'
import { elicitationModes } from '../wires/capabilities.js'
import { inputRequest, readReply } from '../wires/elicitation.js'
import type { Answerer, Incoming } from '../wires/incoming.js'
import { PushWire } from '../wires/push.js'
import { type Relay, type Relayed, relayArgument } from '../wires/relay.js'
import { hasRpcCode, RequestError } from '../wires/request-error.js'
import { type TaskEnd, type Tasks, tasksExtension } from '../wires/tasks.js'
import type { Registry, Tool } from './registry.js'
import { describeIssues, failure, isRecord, promptResult, resourceResult, toolResult } from './results.js'

type Result = Record<string, unknown>

export interface AnswerOptions {
  registry: Registry
  middleware: readonly Middleware[]
  rounds: Rounds<Result>
  tasks: Tasks
  relay: Relay
  scopes: Scopes
  clock: Clock
  fallback: Fallback
  settings: Omit<AskSettings, 'fallback' | 'isGuarded' | 'urlError'>
  maxAsks: number
}

/** What a request runs. */
interface Job {
  readonly subject: Subject
  readonly target: Target
  readonly tool: Tool | undefined
  readonly middleware: readonly Middleware[]
  readonly fallback: Fallback
  run(ctx: CallContext): Promise<Result>
}

export function createAnswerer(options: AnswerOptions): Answerer {
  return async incoming => {
    const relayed = await redeem(options, incoming)
    const job = findJob(options, incoming)
    const modes = elicitationModes(incoming, options.settings.quirks)
    const pushes = incoming.send !== undefined && (modes !== undefined || job.fallback !== 'relay')
    try {
      return await (pushes ? answerPush(options, incoming, job) : answerRound(options, incoming, { job, relayed }))
    } catch (error) {
      return failure(error, incoming)
    }
  }
}

/** How a task ends. */
export function taskEnd(end: End<unknown>, { peer }: Call): TaskEnd {
  try {
    // A task's handler gives a result, as every tool's does.
    return { result: readEnd(end as End<Result>, { method: 'tools/call', revision: peer.revision }) }
  } catch (error) {
    if (!hasRpcCode(error)) return { error: { code: -32603, message: String(error) } }
    const { code, message, data } = error
    return { error: { code, message, ...(data !== undefined && { data }) } }
  }
}

/** How the end of a handler leaves. */
function readEnd(end: End<Result>, from: Pick<Incoming, 'method' | 'revision'>): Result {
  return end.kind === 'finished' ? end.result : failure(end.error, from)
}

async function answerPush(options: AnswerOptions, incoming: Incoming, job: Job): Promise<Result> {
  const { clock } = options
  const wire = new PushWire(incoming, clock)
  const call = new Call<Result>({
    id: digest([incoming.sessionId, clock.now(), Math.random()]),
    target: job.target,
    principal: incoming.principal,
    journal: new Journal(),
    wire,
    clock,
    maxAsks: options.maxAsks,
    holdMs: 0,
  })
  wire.serve(call)
  call.attach(incoming)
  const cancel = () => call.drop(new CallCancelledError('The client cancelled the call or went away.'))
  if (incoming.signal.aborted) cancel()
  incoming.signal.addEventListener('abort', cancel, { once: true })
  call.run(() => runJob(options, job, call))
  return readEnd(await call.end(), incoming)
}

async function answerRound(
  options: AnswerOptions,
  incoming: Incoming,
  { job, relayed }: { job: Job; relayed: Relayed | undefined },
): Promise<Result> {
  const { inputResponses } = incoming
  const reply = await options.rounds.answer({
    incoming,
    target: job.target,
    state: relayed?.state ?? incoming.requestState,
    readReply: (kind, id) =>
      relayed?.readReply(kind, id) ??
      (inputResponses !== undefined && Object.hasOwn(inputResponses, id)
        ? readReply(kind, inputResponses[id])
        : undefined),
    start: call => runJob(options, job, call),
  })
  return encodeReply(options, incoming, job, reply)
}

async function encodeReply(
  options: AnswerOptions,
  incoming: Incoming,
  job: Job,
  reply: RoundReply<Result>,
): Promise<Result> {
  switch (reply.kind) {
    case 'open': {
      const { asks, state } = reply
      const modes = elicitationModes(incoming, options.settings.quirks)
      const isAskable = asks.every(
        ({ ask }) => ask.kind === 'sample' || ask.kind === 'roots' || modes?.[ask.kind === 'url' ? 'url' : 'form'],
      )
      if (!isAskable) return options.relay.result(asks, state, job.subject.name)
      const inputRequests = Object.fromEntries(asks.map(({ id, ask }) => [id, inputRequest(ask, incoming.revision)]))
      return { resultType: 'input_required', ...(asks.length > 0 && { inputRequests }), requestState: state }
    }
    case 'left':
      return options.tasks.create(reply.call)
    default:
      return readEnd(reply, incoming)
  }
}

/** Runs middleware and handler for a call. A task begins where the handler is entered. */
async function runJob(options: AnswerOptions, job: Job, call: Call<Result>): Promise<Result> {
  const { tool, subject } = job
  const ctx = new CallContext(call, subject, settingsFor(options, job), options.scopes)
  const stopTimer = tool?.config.timeoutMs === undefined ? undefined : call.limit(tool.config.timeoutMs)
  try {
    // Each middleware gives back what the one inside gave, or a result of its own kind.
    const returned = await compose(job.middleware, ctx, async () => {
      if (tool?.config.task !== undefined && declaresTasks(call.peer)) call.leave()
      return job.run(ctx)
    })
    return await resultOf(job, returned)
  } finally {
    stopTimer?.()
  }
}

function resultOf({ tool, subject }: Job, returned: unknown): Promise<Result> | Result {
  if (tool !== undefined) return toolResult(returned, tool.output)
  return isRecord(returned) ? returned : promptResult(returned, subject.name)
}

function settingsFor({ settings }: AnswerOptions, { tool, fallback }: Job): AskSettings {
  const { annotations, urlError = false } = tool?.config ?? {}
  const isGuarded = Boolean(annotations?.destructive || annotations?.requiresConfirmation)
  const ask = tool?.config.task === undefined ? settings.expiryMs.ask : dayMs
  return { ...settings, fallback, isGuarded, urlError, expiryMs: { ...settings.expiryMs, ask } }
}

const dayMs = 24 * 60 * 60 * 1000

function findJob(options: AnswerOptions, incoming: Incoming): Job {
  switch (incoming.method) {
    case 'tools/call':
      return toolJob(options, incoming)
    case 'prompts/get':
      return promptJob(options, incoming)
    case 'resources/read':
      return resourceJob(options, incoming)
  }
}

function toolJob({ registry, middleware, fallback }: AnswerOptions, incoming: Incoming): Job {
  const { name, arguments: given = {} } = incoming.params
  const tool = registry.tools.get(String(name))
  if (tool === undefined) throw new RequestError(-32602, `Unknown tool: ${name}`)
  if (!isRecord(given)) throw new RequestError(-32602, 'The arguments of a tool are an object.')
  if (tool.config.task === 'required' && !declaresTasks(incoming)) {
    throw new RequestError(-32021, `The tool ${name} runs as a task only, and the client does not declare tasks.`, {
      requiredCapabilities: { extensions: { [tasksExtension]: {} } },
    })
  }
  const { [relayArgument]: _, ...args } = given
  const input = tool.config.fallback === 'relay' || fallback === 'relay' ? args : given
  return {
    subject: { kind: 'tool', name: tool.name, input },
    target: { method: incoming.method, name: tool.name, digest: digest(input) },
    tool,
    middleware: [...middleware, ...tool.middleware],
    fallback: tool.config.fallback ?? fallback,
    async run(ctx) {
      const checked = tool.input === undefined ? { value: input } : await tool.input.validate(input)
      if (checked.issues !== undefined)
        return { ...ctx.error(`The arguments do not fit. ${describeIssues(checked.issues)}`) }
      // The validator made what the handler's type says; what it returns is checked by `toolResult`.
      return (await tool.handler(checked.value as never, ctx)) as Result
    },
  }
}

function promptJob({ registry, middleware, fallback }: AnswerOptions, incoming: Incoming): Job {
  const { name, arguments: given = {} } = incoming.params
  const prompt = registry.prompts.get(String(name))
  if (prompt === undefined) throw new RequestError(-32602, `Unknown prompt: ${name}`)
  const args = isRecord(given) ? given : {}
  const missing = Object.entries(prompt.config.args ?? {}).find(
    ([arg, { required }]) => required && typeof args[arg] !== 'string',
  )
  if (missing !== undefined) throw new RequestError(-32602, `The prompt ${name} needs the argument "${missing[0]}".`)
  return {
    subject: { kind: 'prompt', name: prompt.name, input: args },
    target: { method: incoming.method, name: prompt.name, digest: digest(args) },
    tool: undefined,
    middleware: [...middleware, ...prompt.middleware],
    fallback: fallback === 'relay' ? 'refuse' : fallback,
    // The protocol has texts there.
    run: async ctx =>
      promptResult(await prompt.handler(args as Record<string, string>, ctx), prompt.config.description),
  }
}

function resourceJob({ registry, middleware, fallback }: AnswerOptions, incoming: Incoming): Job {
  const uri = String(incoming.params.uri)
  const found = registry.findResource(uri)
  if (found === undefined) throw new RequestError(-32602, `Unknown resource: ${uri}`, { uri })
  const { resource, vars } = found
  return {
    subject: { kind: 'resource', name: uri, input: vars },
    target: { method: incoming.method, name: uri, digest: '' },
    tool: undefined,
    middleware: [...middleware, ...resource.middleware],
    fallback: fallback === 'relay' ? 'refuse' : fallback,
    run: async ctx => resourceResult(await resource.handler({ uri, vars }, ctx), uri, resource.config.mimeType),
  }
}

async function redeem(options: AnswerOptions, incoming: Incoming): Promise<Relayed | undefined> {
  const { arguments: args, name } = incoming.params
  if (incoming.method !== 'tools/call' || !isRecord(args) || args[relayArgument] === undefined) return undefined
  const relays = (options.registry.tools.get(String(name))?.config.fallback ?? options.fallback) === 'relay'
  return relays ? options.relay.redeem(args[relayArgument], incoming.principal) : undefined
}

function declaresTasks({ capabilities }: Pick<Incoming, 'capabilities'>): boolean {
  return capabilities.extensions?.[tasksExtension] !== undefined
}

// One request for a tool, prompt or resource: find what it runs.
import { isRecord } from '@beckon/core/json-rpc'
import { findTool } from '@beckon/core/widgets'
import type { Fallback } from '../author/context.js'
import type { Middleware } from '../author/middleware.js'
import type { Answerer, Incoming } from '../call/incoming.js'
import { digest } from '../crypto/digest.js'
import type { CallRecord, CallResponse } from '../log/events.js'
import { tasksExtension } from '../protocol/capabilities.js'
import { orStoreAway, RequestError } from '../protocol/request-error.js'
import type { Program } from '../runner/call-request.js'
import { answerTool } from '../wires/app-asks.js'
import { type Relayed, relayArgument } from '../wires/relay.js'
import { answerJob, declaresTasks, type Job, resumeJob } from './answer-job.js'
import type { Engine } from './engine.js'
import type { Registry } from './registry.js'
import { promptResult, resourceResult } from './results.js'
import { ToolJob } from './tool-job.js'

export interface AnswerOptions {
  engine: Engine
  registry: Registry
  middleware: readonly Middleware[]
  fallback: Fallback
}

export function createAnswerer(options: AnswerOptions): Answerer {
  const { engine } = options
  engine.onResume(record => resume(options, record))
  async function answerLate(incoming: Incoming): Promise<Record<string, unknown>> {
    try {
      await engine.ring.opening
      if (isFromView(incoming)) return await answerView(options, incoming)
      if (isSearch(incoming)) return await answerSearch(options, incoming)
      const redeeming = redeem(options, incoming)
      const relayed = redeeming && (await redeeming)
      return await answerJob(engine, incoming, findJob(options, incoming), relayed)
    } catch (error) {
      throw orStoreAway(error)
    }
  }
  // Not an async function for what has nothing to wait for: that is nearly every call.
  return incoming => {
    if (engine.ring.opening !== undefined || bringsRelay(incoming) || isFromView(incoming) || isSearch(incoming))
      return answerLate(incoming)
    try {
      return answerJob(engine, incoming, findJob(options, incoming))
    } catch (error) {
      return Promise.reject(error)
    }
  }
}

/** How a durable call whose process is gone is run again, or why it is not. */
function resume(options: AnswerOptions, record: CallRecord): Program<Record<string, unknown>> | CallResponse {
  try {
    const { capabilities } = record.peer
    const job = findJob(options, { method: 'tools/call', params: record.params, capabilities })
    return resumeJob(options.engine, job, record)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { error: { code: -32603, message: `The call cannot go on: it cannot be run again: ${reason}` } }
  }
}

type Wanted = Pick<Incoming, 'method' | 'params' | 'capabilities'>

function findJob(options: AnswerOptions, incoming: Wanted): Job {
  switch (incoming.method) {
    case 'tools/call':
      return toolJob(options, incoming)
    case 'prompts/get':
      return promptJob(options, incoming)
    case 'resources/read':
      return resourceJob(options, incoming)
    default:
      throw new RequestError(-32601, `Method not found: ${incoming.method}`)
  }
}

function toolJob({ engine, registry, middleware, fallback }: AnswerOptions, incoming: Wanted): Job {
  const { name, arguments: given = {} } = incoming.params
  const tool = registry.tools.get(String(name))
  if (tool === undefined) throw new RequestError(-32602, `Unknown tool: ${name}`)
  if (!isRecord(given)) throw new RequestError(-32602, 'The arguments of a tool are an object.')
  if (tool.config.task === 'required' && !declaresTasks(incoming)) {
    throw new RequestError(-32021, `The tool ${name} runs as a task only, and the client does not declare tasks.`, {
      requiredCapabilities: { extensions: { [tasksExtension]: {} } },
    })
  }
  const last = tool.config.fallback ?? fallback
  const input = last === 'refuse' && engine.desk === undefined ? given : withoutRelay(given)
  return new ToolJob(tool, input, middleware, last)
}

function withoutRelay({ [relayArgument]: _, ...args }: Record<string, unknown>): Record<string, unknown> {
  return args
}

function promptJob({ registry, middleware, fallback }: AnswerOptions, incoming: Wanted): Job {
  const { name, arguments: given = {} } = incoming.params
  const prompt = registry.prompts.get(String(name))
  if (prompt === undefined) throw new RequestError(-32602, `Unknown prompt: ${name}`)
  const args = isRecord(given) ? given : {}
  const odd = Object.entries(args).find(([, value]) => typeof value !== 'string')
  if (odd !== undefined)
    throw new RequestError(-32602, `The argument "${odd[0]}" of the prompt ${name} must be a string.`)
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
    servesTasks: false,
    // They are texts, and those that are required are there.
    run: async ctx =>
      promptResult(await prompt.handler(args as Record<string, string>, ctx), prompt.name, prompt.config.description),
    resultOf: returned => promptResult(returned, prompt.name, prompt.config.description),
  }
}

function resourceJob({ registry, middleware, fallback }: AnswerOptions, incoming: Wanted): Job {
  const uri = String(incoming.params.uri)
  const found = registry.findResource(uri)
  if (found === undefined) throw new RequestError(-32002, `Unknown resource: ${uri}`, { uri })
  const { resource, vars } = found
  return {
    subject: { kind: 'resource', name: uri, registered: resource.uri, input: vars },
    target: { method: incoming.method, name: uri, digest: '' },
    tool: undefined,
    middleware: [...middleware, ...resource.middleware],
    fallback: fallback === 'relay' ? 'refuse' : fallback,
    servesTasks: false,
    run: async ctx => resourceResult(await resource.handler({ uri, vars }, ctx), uri, resource.config.mimeType),
    resultOf: returned => resourceResult(returned, uri, resource.config.mimeType),
  }
}

/** Whether the view of a tool brings an answer. */
function isFromView({ method, params }: Incoming): boolean {
  return method === 'tools/call' && params.name === answerTool
}

/** Whether a page searches options while someone types. */
function isSearch({ method, params }: Incoming): boolean {
  return method === 'tools/call' && params.name === findTool
}

async function answerSearch(
  { engine }: AnswerOptions,
  { params, principal }: Incoming,
): Promise<Record<string, unknown>> {
  const { handle, search } = isRecord(params.arguments) ? params.arguments : {}
  return { content: [], structuredContent: { options: await engine.searches.findFor(principal, { handle, search }) } }
}

/** The call that a view answered for goes on, as if its own request had come again. */
async function answerView({ engine, ...options }: AnswerOptions, incoming: Incoming): Promise<Record<string, unknown>> {
  const { tool, args, ...relayed } = await engine.appAsks.redeem(incoming.params.arguments)
  const own = Object.assign(incoming, { params: { name: tool, arguments: args } })
  return answerJob(engine, own, findJob({ engine, ...options }, own), relayed)
}

function bringsRelay({ method, params }: Incoming): boolean {
  return method === 'tools/call' && isRecord(params.arguments) && params.arguments[relayArgument] !== undefined
}

function redeem(options: AnswerOptions, incoming: Incoming): Promise<Relayed> | undefined {
  const { arguments: args, name } = incoming.params
  if (!bringsRelay(incoming) || !isRecord(args)) return undefined
  const relays = (options.registry.tools.get(String(name))?.config.fallback ?? options.fallback) === 'relay'
  return relays ? options.engine.relay.redeem(args[relayArgument]) : undefined
}

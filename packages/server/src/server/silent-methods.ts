// Threat: what is behind a gate, told by a method that is not a call: the names that complete an argument, the times at which
// a resource changes. Such a method passes the same middleware as a call does, and what a caller is not shown is unknown to it.
// It asks nobody: where a gate would have to ask a person, it is refused.

import { UnauthorizedError } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
import type { Middleware } from '../author/middleware.js'
import type { Incoming, SilentMethod } from '../call/incoming.js'
import { digest } from '../crypto/digest.js'
import type { Link } from '../protocol/link.js'
import { RequestError } from '../protocol/request-error.js'
import { answerJob, type Job } from './answer-job.js'
import type { Engine } from './engine.js'
import type { Listing } from './listing.js'
import type { Prompt, Registry, Resource } from './registry.js'

type Params = Record<string, unknown>

/** Whose request it is. */
export interface SilentRequest extends Pick<Incoming, 'header' | 'address' | 'client'> {
  readonly link: Link
}

export interface SilentMethods {
  /** The values that complete an argument of a prompt, or a variable of a resource. */
  complete(from: SilentRequest, params: Params): Promise<Params>
  /** Resolves when the caller may be told of changes of a resource. */
  subscribe(from: SilentRequest, uri: string): Promise<unknown>
}

export interface SilentMethodsOptions {
  readonly engine: Engine
  readonly registry: Registry
  readonly listing: Listing
}

const maxCompletions = 100

export function createSilentMethods({ engine, registry, listing }: SilentMethodsOptions): SilentMethods {
  /** Runs something once the caller has passed what stands before it. */
  async function behind(from: SilentRequest, gated: Gated): Promise<Params> {
    if (engine.ring.opening !== undefined) await engine.ring.opening
    const [shown] = gated.entry === undefined ? [] : await listing.shown(from.link, [gated.entry])
    if (shown === undefined) {
      const code = gated.method === 'resources/subscribe' ? -32002 : -32602
      throw new RequestError(code, `Unknown ${gated.kind}: ${gated.name}`)
    }
    const middleware = [...registry.middleware, ...shown.middleware].flatMap(onCallOf)
    return answerJob(engine, silentIncoming(from, gated), jobOf(gated, middleware))
  }

  return {
    complete(from, { ref, argument }) {
      if (!isRecord(ref) || !isRecord(argument))
        throw new RequestError(-32602, 'A completion names a reference and an argument.')
      const variable = String(argument.name)
      const typed = String(argument.value ?? '')
      const isPrompt = ref.type === 'ref/prompt'
      const name = String(isPrompt ? ref.name : ref.uri)
      const [prompt, template] = [registry.prompts.get(name), registry.templates.get(name)]
      const propose = isPrompt ? own(prompt?.config.args, variable)?.complete : own(template?.config.complete, variable)
      return behind(from, {
        method: 'completion/complete',
        kind: isPrompt ? 'prompt' : 'resource',
        name,
        entry: isPrompt ? prompt : template,
        input: { [variable]: typed },
        run: async () => completionOf((await propose?.(typed)) ?? []),
      })
    },
    subscribe: (from, uri) =>
      behind(from, {
        method: 'resources/subscribe',
        kind: 'resource',
        name: uri,
        entry: registry.findResource(uri)?.resource,
        input: {},
        run: async () => ({}),
      }),
  }
}

/** What is behind the rules of something that is offered. */
interface Gated {
  readonly method: SilentMethod
  readonly kind: 'prompt' | 'resource'
  readonly name: string
  readonly entry: Prompt | Resource | undefined
  readonly input: Params
  run(): Promise<Params>
}

function jobOf({ method, kind, name, entry, input, run }: Gated, middleware: readonly Middleware[]): Job {
  let result: Params | undefined
  return {
    subject: { kind, name, input, ...(entry !== undefined && 'uri' in entry && { registered: entry.uri }) },
    target: { method, name, digest: digest(input) },
    tool: undefined,
    isSilent: true,
    servesTasks: false,
    middleware,
    fallback: 'refuse',
    async run() {
      result = await run()
      return result
    },
    resultOf(returned) {
      if (result === undefined || (isRecord(returned) && returned.isError === true))
        throw new UnauthorizedError('Not authorized.')
      return result
    },
  }
}

/** The part of a middleware that lets a call pass. What it makes of a handler and its result is none of this. */
function onCallOf(middleware: Middleware): Middleware[] {
  if (typeof middleware === 'function') return [middleware]
  const { name } = middleware
  return middleware.onCall === undefined ? [] : [{ name, onCall: (ctx, next) => middleware.onCall?.(ctx, next) }]
}

/** A request of a client that can be asked nothing. */
function silentIncoming({ link, header, address, client }: SilentRequest, { method, input }: Gated): Incoming {
  return {
    method,
    params: input,
    revision: link.codec.revision,
    capabilities: {},
    client,
    principal: link.principal,
    sessionId: link.sessionId,
    inputResponses: undefined,
    requestState: undefined,
    progressToken: undefined,
    header,
    address,
    isLocal: link.isLocal,
    signal: new AbortController().signal,
    notify() {},
    log() {},
    send: undefined,
  }
}

/** A name that a client sent may be one that every object has. */
function own<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined
}

function completionOf(values: readonly string[]): Params {
  const shown = values.slice(0, maxCompletions)
  return { completion: { values: shown, total: values.length, hasMore: values.length > maxCompletions } }
}

import { type Ask, replyOf } from '../src/call/ask.js'
import type { Call } from '../src/call/call.js'
import type { Incoming } from '../src/call/incoming.js'
import { createSeal } from '../src/crypto/seal.js'
import type { AskPresenter, AskSender, CallReply, RunnerLimits } from '../src/runner/call-request.js'
import { Nodes } from '../src/runner/nodes.js'
import type { RunnerOptions } from '../src/runner/runner.js'
import { Runner } from '../src/runner/runner.js'
import { memoryStore } from '../src/store/index.js'
import { FakeClock } from './fake-clock.js'

export const key = 'a key for these tests only'
const limits: RunnerLimits = {
  suspended: 100,
  suspendedPerPrincipal: 10,
  suspendedBytes: 10_000_000,
  stateBytes: 8_000,
  asks: 50,
  clockSkewMs: 0,
  holdMs: 45_000,
  replies: 50,
  replyBytes: 10_000_000,
  rounds: 100,
}

export type Handler = (call: Call<unknown>) => Promise<unknown>
export interface Request {
  state?: string
  answers?: Record<string, unknown>
  principal?: string
  name?: string
  args?: string
  params?: Record<string, unknown>
  signal?: AbortSignal
  /** Whether the same request finds the call again, and how long it waits. */
  canRepeat?: boolean
  waitMs?: number
  /** For a client that is asked while its request is open. */
  sender?: AskSender
}

export interface NodeOptions extends Partial<Omit<RunnerOptions<unknown>, 'clock' | 'limits'>> {
  clock?: FakeClock
  limits?: Partial<RunnerLimits>
  leaseMs?: number
  presenter?: AskPresenter
}

/** One process: an engine and the handler it runs. */
export function createNode(handler: Handler, options: NodeOptions = {}) {
  const { clock = new FakeClock(), store = memoryStore({ clock }), leaseMs = 15_000, presenter } = options
  const program = { start: handler, presenter: presenter && (() => presenter) }
  const nodes = options.nodes ?? new Nodes({ store, clock, leaseMs })
  const runner = new Runner<unknown>({
    seal: createSeal([key], 'test'),
    version: '1',
    replay: 'when-needed',
    onDeploy: 'replay',
    retainMs: 600_000,
    durableMs: 24 * 60 * 60_000,
    whenGone: 'keep',
    encodeEnd: end =>
      end.kind === 'finished'
        ? { result: { value: end.result } }
        : { error: { code: -1, message: String(end.error), data: end.error } },
    resume: () => program,
    ...options,
    store,
    clock,
    nodes,
    limits: { ...limits, ...options.limits },
  })
  const send = (request: Request = {}): Promise<Reply> => {
    const { state, answers = {}, principal, name = 'tool', args = 'args', params = {}, signal } = request
    const { canRepeat = false, waitMs = 0, sender } = request
    return runner
      .answer({
        incoming: incoming({
          principal,
          params,
          signal: signal ?? new AbortController().signal,
          inputResponses: answers,
        }),
        target: { method: 'tools/call', name, digest: args },
        state,
        clientWire: sender === undefined ? 'rounds' : 'push',
        sender,
        takesTasks: false,
        canRepeat,
        handle: undefined,
        waitMs,
        readReply: (_kind, id) =>
          id in answers ? { kind: 'outcome', outcome: { action: 'accept', content: answers[id] as never } } : undefined,
        ...program,
      })
      .then(readable)
  }
  return { runner, nodes, clock, store, send }
}

/** A reply as a test compares it. */
export type Reply =
  | Exclude<CallReply, { kind: 'ended' }>
  | { kind: 'finished'; result: unknown }
  | { kind: 'failed'; error: unknown }

function readable(reply: CallReply): Reply {
  if (reply.kind !== 'ended') return reply
  return 'result' in reply.end
    ? { kind: 'finished', result: reply.end.result.value }
    : { kind: 'failed', error: reply.end.error.data }
}

function incoming(facts: Partial<Incoming>): Incoming {
  return {
    method: 'tools/call',
    params: {},
    revision: '2026-07-28',
    capabilities: {},
    client: undefined,
    principal: undefined,
    sessionId: undefined,
    inputResponses: undefined,
    requestState: undefined,
    progressToken: undefined,
    signal: new AbortController().signal,
    notify() {},
    log() {},
    send: undefined,
    ...facts,
  }
}

export async function ask(
  call: Call<unknown>,
  message: string,
  { key: name, timeoutMs = 1_000 }: { key?: string; timeoutMs?: number } = {},
) {
  const form: Ask = { kind: 'form', message, form: { type: 'object', properties: {} } }
  const reply = replyOf(await call.ask(form, { key: name, timeoutMs, wire: 'rounds' }), message)
  return reply.kind === 'outcome' && reply.outcome.action === 'accept' ? reply.outcome.content : undefined
}

export function open(reply: Reply) {
  if (reply.kind !== 'asks') throw new Error(`expected an open round, got ${JSON.stringify(reply)}`)
  return {
    state: reply.state,
    ids: reply.asks.map(({ id }) => id),
    messages: reply.asks.map(({ ask }) => ('message' in ask ? ask.message : '')),
  }
}

/** Answers every ask of a round with its own message, in capitals. */
export function loud(reply: Reply): Required<Pick<Request, 'state' | 'answers'>> {
  const { state, ids, messages } = open(reply)
  return { state, answers: Object.fromEntries(ids.map((id, index) => [id, messages[index]?.toUpperCase()])) }
}

/** Lets everything run that waits for this turn of the event loop. */
export const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

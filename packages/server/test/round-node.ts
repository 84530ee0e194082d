import type { Ask } from '../src/call/ask.js'
import type { Call } from '../src/call/call.js'
import { replyOf } from '../src/call/reply-of.js'
import type { Ledger } from '../src/calls/ledger.js'
import { MemoryLedger } from '../src/calls/memory-ledger.js'
import type { RoundReply, RoundsOptions } from '../src/calls/round.js'
import { Rounds } from '../src/calls/rounds.js'
import { createSeal } from '../src/crypto/seal.js'
import type { Incoming } from '../src/protocol/incoming.js'
import { FakeClock } from './fake-clock.js'

export const key = 'a key for these tests only'
export const limits = { suspended: 100, suspendedPerPrincipal: 10, stateBytes: 8_000, asks: 50, holdMs: 45_000 }

export type Handler = (call: Call<unknown>) => Promise<unknown>
export interface Request {
  state?: string
  answers?: Record<string, unknown>
  principal?: string
  name?: string
  args?: string
  signal?: AbortSignal
}

/** One process: an engine and the handler it runs. */
export function createNode(
  handler: Handler,
  {
    ledger,
    clock = new FakeClock(),
    ...options
  }: Partial<RoundsOptions> & { ledger?: Ledger<RoundReply<unknown>>; clock?: FakeClock } = {},
) {
  const rounds = new Rounds<unknown, RoundReply<unknown>>(
    {
      seal: createSeal([key], 'test'),
      clock,
      version: '1',
      replay: 'when-needed',
      onDeploy: 'replay',
      retainMs: 600_000,
      limits,
      ...options,
    },
    ledger ?? new MemoryLedger(clock, { rounds: 100, replies: 50 }),
  )
  const send = ({ state, answers = {}, principal, name = 'tool', args = 'args', signal }: Request = {}) =>
    rounds.answer({
      incoming: incoming({ principal, signal: signal ?? new AbortController().signal, inputResponses: answers }),
      target: { method: 'tools/call', name, digest: args },
      state,
      readReply: (_kind, id) =>
        id in answers ? { kind: 'outcome', outcome: { action: 'accept', content: answers[id] as never } } : undefined,
      start: handler,
      encode: async reply => reply,
    })
  return { rounds, clock, send }
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
  const reply = replyOf(await call.ask(form, { key: name, timeoutMs }), message)
  return reply.kind === 'outcome' && reply.outcome.action === 'accept' ? reply.outcome.content : undefined
}

export function open(reply: RoundReply<unknown>) {
  if (reply.kind !== 'open') throw new Error(`expected an open round, got ${JSON.stringify(reply)}`)
  return {
    state: reply.state,
    ids: reply.asks.map(({ id }) => id),
    messages: reply.asks.map(({ ask }) => ('message' in ask ? ask.message : '')),
  }
}

/** Answers every ask of a round with its own message, in capitals. */
export function loud(reply: RoundReply<unknown>): Required<Pick<Request, 'state' | 'answers'>> {
  const { state, ids, messages } = open(reply)
  return { state, answers: Object.fromEntries(ids.map((id, index) => [id, messages[index]?.toUpperCase()])) }
}

/** Lets everything run that waits for this turn of the event loop. */
export const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

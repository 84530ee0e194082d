import { isJSONRPCRequest } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  eventsOf,
  faces,
  openSession,
  type Raw,
  type RawSession,
  type SseEvent,
  serve,
} from '../../../test/raw-http.js'
import { SdkCall } from '../../sdk/sdk-call.js'
import { Questions } from './questions.js'
import { regularCall } from './regular-call.js'
import { SessionCall } from './session-call.js'

const accept = (name: string) => ({ action: 'accept', content: { name } })
const dataOf = (event: SseEvent | undefined) => (event?.data ? JSON.parse(event.data) : undefined)
/** A key that the SDK lifts out of `_meta`, so that a call which has it is the SDK's. */
const forSdk = { 'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' } }

const callOf = (id: number, name: string, meta?: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, ...(meta && { _meta: meta }) },
})

/** The messages of a response, whichever kind it is. */
async function messagesIn(response: Response): Promise<unknown[]> {
  if (response.headers.get('content-type') === 'application/json') return [await response.json()]
  return (await eventsOf(response).rest()).map(dataOf).filter(message => message !== undefined)
}

async function asked(session: RawSession, message: object) {
  const events = eventsOf(await session.post(message))
  let question = dataOf(await events.next())
  question ??= dataOf(await events.next())
  const answered = async () => (await events.rest()).map(dataOf)
  return { id: question.id, answered }
}

const whose = ({ served }: Raw) => served.seen.at(-1)?.constructor

describe.each(faces)('a call of a 2025 session over %s', face => {
  it('does without the SDK when it is regular, and is answered alike', async () => {
    const raw = await serve(face)
    const session = await openSession(raw)
    for (const tool of ['hello', 'work', 'log', 'missing', 'refused', 'odd', 'own']) {
      const lean = await messagesIn(await session.post(callOf(1, tool, { progressToken: 7 })))
      expect(whose(raw)).toBe(SessionCall)
      const bySdk = await messagesIn(await session.post(callOf(1, tool, { progressToken: 7, ...forSdk })))
      expect(whose(raw)).toBe(SdkCall)
      expect(lean, tool).toEqual(bySdk)
    }
  })

  it('tells nobody what broke in it', async () => {
    const raw = await serve(face)
    const [answer] = await messagesIn(await (await openSession(raw)).call('broken'))
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } })
    expect(raw.served.errors).toEqual([new Error('a secret')])
  })

  it('gets the answers to its own questions, whoever else asks', async () => {
    const session = await openSession(await serve(face))
    const lean = await asked(session, callOf(1, 'ask'))
    const bySdk = await asked(session, callOf(2, 'ask', forSdk))
    const another = await asked(session, callOf(3, 'ask'))
    const open = [lean, bySdk, another]
    expect(new Set(open.map(({ id }) => id)).size).toBe(3)
    for (const [index, { id }] of [...open.entries()].reverse())
      await session.post({ jsonrpc: '2.0', id, result: accept(`person ${index}`) })
    for (const [index, { answered }] of open.entries()) {
      const text = expect.stringContaining(`person ${index}`)
      expect(await answered()).toMatchObject([{ id: index + 1, result: { content: [{ text }] } }])
    }
  })

  it('is not answered by what is no response, nor twice', async () => {
    const session = await openSession(await serve(face))
    const { id, answered } = await asked(session, callOf(1, 'ask'))
    for (const odd of [{ result: accept('Eve'), more: 1 }, { result: { ...accept('Eve'), _meta: 1 } }, { error: {} }])
      await session.post({ jsonrpc: '2.0', id, ...odd })
    await session.post({ jsonrpc: '2.0', id, result: { ...accept('Ada'), resultType: 'complete', _meta: {} } })
    expect((await session.post({ jsonrpc: '2.0', id, result: accept('Eve') })).status).toBe(202)
    const [{ result }] = await answered()
    expect(result.content[0].text).toBe(`hello ${JSON.stringify({ ...accept('Ada'), _meta: {} })}`)
  })

  it('logs from the level on that its client has set', async () => {
    const session = await openSession(await serve(face))
    const levels = async () =>
      (await messagesIn(await session.call('work'))).flatMap(message =>
        (message as { method?: string }).method === 'notifications/message'
          ? [(message as { params: { level: string } }).params.level]
          : [],
      )
    const setLevel = async (level: string) =>
      (await session.post({ jsonrpc: '2.0', id: 9, method: 'logging/setLevel', params: { level } })).json()
    expect(await levels()).toEqual(['debug', 'warning'])
    expect(await setLevel('info')).toMatchObject({ result: {} })
    expect(await levels()).toEqual(['warning'])
    expect(await setLevel('loud')).toMatchObject({ error: {} })
    expect(await levels()).toEqual(['warning'])
    expect(await setLevel('emergency')).toMatchObject({ result: {} })
    expect(await levels()).toEqual([])
  })

  it('may have the id of one that was cancelled and still runs', async () => {
    const raw = await serve(face)
    const session = await openSession(raw)
    const began = raw.served.began('hold')
    const first = session.call('hold', 5)
    await began
    await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
    await (await first).text()
    const aborted = raw.served.aborted('wait')
    const waits = raw.served.began('wait')
    const second = session.call('wait', 5)
    await waits
    raw.served.release()
    await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5, reason: 'late' } })
    expect((await aborted).signal.reason).toBe('late')
    expect(dataOf((await eventsOf(await second).rest()).find(({ data }) => data))).toBeUndefined()
  })
})

describe('a regular call', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: {}, _meta: {} } }
  const params = (more: object) => ({ ...call, params: { ...call.params, ...more } })

  it.each([
    ['a member more', { ...call, more: 1 }],
    ['no parameters', { ...call, params: undefined }],
    ['an id that is no integer', { ...call, id: 1.5 }],
    ['another method', { ...call, method: 'prompts/get' }],
    ['a name that is no text', params({ name: 1 })],
    ['arguments that are a list', params({ arguments: [] })],
    ['a state of another revision', params({ requestState: 'x' })],
    ['answers of another revision', params({ inputResponses: {} })],
    ['metadata that is none', params({ _meta: [] })],
    ['metadata of the protocol', params({ _meta: { 'io.modelcontextprotocol/related-task': {} } })],
    ['a token that is none', params({ _meta: { progressToken: {} } })],
  ])('has not %s', (_what, message) => {
    expect(regularCall(call)).toBeDefined()
    expect(regularCall(message)).toBeUndefined()
  })

  it('is one for the SDK as well', () => {
    const meta = fc.dictionary(fc.constantFrom('progressToken', 'traceparent', 'mine'), fc.jsonValue())
    const given = fc.record({ name: fc.jsonValue(), arguments: fc.jsonValue(), _meta: fc.oneof(meta, fc.jsonValue()) })
    const message = fc.record({
      jsonrpc: fc.constantFrom('2.0', '1.0'),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      method: fc.constant('tools/call'),
      params: fc.oneof(given, fc.record({ name: fc.string(), _meta: meta })),
    })
    let regular = 0
    fc.assert(
      fc.property(message, candidate => {
        if (regularCall(candidate) === undefined) return
        regular += 1
        expect(isJSONRPCRequest(candidate)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
    expect(regular).toBeGreaterThan(10)
  })
})

describe('the questions of a session', () => {
  const answers = () => ({ answered: vi.fn(), failed: vi.fn() })

  it('are withdrawn when nobody answers them in time', () => {
    const told: unknown[] = []
    const questions = new Questions(undefined, (message, related) => told.push([related, message]))
    const [soon, late] = [answers(), answers()]
    questions.ask('roots/list', {}, { related: 7, timeoutMs: -1, listener: soon })
    questions.ask('roots/list', {}, { related: 8, timeoutMs: 60_000, listener: late })
    told.length = 0
    questions.expire(Date.now())
    expect(soon.failed.mock.calls).toMatchObject([[{ message: 'Request timed out' }]])
    expect(told).toMatchObject([[7, { method: 'notifications/cancelled', params: { requestId: 0 } }]])
    expect(late.failed).not.toHaveBeenCalled()
  })

  it('end without a word when the session is closed', () => {
    const tell = vi.fn()
    const questions = new Questions('node', tell)
    const [open, withdrawn] = [answers(), answers()]
    questions.ask('roots/list', {}, { related: 7, timeoutMs: 1, listener: open })
    const withdraw = questions.ask('roots/list', {}, { related: 7, timeoutMs: 1, listener: withdrawn })
    expect(tell.mock.calls.map(([{ id }]) => id)).toEqual(['node.0', 'node.2'])
    questions.close()
    withdraw()
    questions.failAll(new Error('closed'))
    expect(open.failed).toHaveBeenCalledOnce()
    expect(withdrawn.failed).not.toHaveBeenCalled()
    expect(tell).toHaveBeenCalledTimes(2)
    expect(() => questions.ask('roots/list', {}, { related: 7, timeoutMs: 1, listener: open })).toThrow('Not connected')
  })
})

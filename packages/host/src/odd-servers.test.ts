// What servers send that ours would not.
import { randomUUID } from 'node:crypto'
import { createDesk, type Desk } from '@beckon/desk'
import type { Client } from '@modelcontextprotocol/client'
import { type ServerContext, UrlElicitationRequiredError } from '@modelcontextprotocol/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient, type Era, tasks } from '../test/eras.js'
import { Person } from '../test/person.js'
import { rawServer } from '../test/raw-server.js'
import { type Answered, answerWith } from './index.js'

let desk: Desk
let person: Person
const clients: Client[] = []
const problems: string[] = []

beforeEach(async () => {
  desk = createDesk()
  person = await Person.at((await desk.listen()).socketUrl)
  problems.length = 0
})

afterEach(async () => {
  person.close()
  for (const client of clients.splice(0)) await client.close()
  await desk.close()
})

async function connect(era: Era, answers: Parameters<typeof rawServer>[0]): Promise<Answered> {
  const client = createClient(era, { ...tasks, elicitation: { form: {}, url: {} } })
  clients.push(client)
  const answered = answerWith(desk, client, { log: problem => problems.push(problem) })
  await client.connect(rawServer(answers))
  return answered
}

/** A tool that asks once, by whatever way the era has, and returns what came back. */
function asking(params: Record<string, unknown>) {
  const returned = (reply: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(reply) }] })
  const ask = { method: 'elicitation/create', params } as const
  return {
    'tools/call': async (_: unknown, { mcpReq }: ServerContext) => {
      if (mcpReq.envelope === undefined) return returned(await mcpReq.send(ask as never))
      const reply = mcpReq.inputResponses?.it
      return reply === undefined ? { resultType: 'input_required', inputRequests: { it: ask } } : returned(reply)
    },
  }
}

/** Looks until it holds. The test's own time limit says when it never does. */
const eventually = (look: () => void) => vi.waitFor(look, { timeout: 10 * 60_000 })

const replyOf = ({ content }: Awaited<ReturnType<Answered['callTool']>>) =>
  JSON.parse(content[0]?.type === 'text' ? content[0].text : '')

describe.each(['2025-11-25', '2026-07-28'] as const)('a server of %s', era => {
  it('is not told who gave a yes or no, unless it says that it reads that', async () => {
    const answered = await connect(
      era,
      asking({ message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }),
    )
    const result = answered.callTool({ name: 'any' })
    await person.accept(await person.next())
    expect(replyOf(await result)).toEqual({ action: 'accept', content: {} })
    const declined = answered.callTool({ name: 'any' })
    await person.decline(await person.next(), 'No.')
    expect(replyOf(await declined)).toEqual({ action: 'decline', content: { 'beckon/reason': 'No.' } })
  })

  it('is called by its title, and asks by a schema with rules that no form has', async () => {
    const requestedSchema = {
      type: 'object',
      'x-order': ['code'],
      properties: {
        code: { type: 'string', title: 'Code', pattern: '^x', 'x-widget': 'pin', minLength: 2 },
        count: { type: 'integer', exclusiveMinimum: 0, multipleOf: 2 },
      },
      required: ['code'],
    }
    const answered = await connect(era, asking({ mode: 'form', message: 'Code?', requestedSchema }))
    const result = answered.callTool({ name: 'any' })
    const ask = await person.next()
    expect(ask).toMatchObject({ title: 'A raw server (raw)', server: 'raw' })
    expect(ask.request.questions).toEqual([
      { id: 'code', title: 'Code', message: 'Code', kind: 'text', min: 2, required: true },
      { id: 'count', title: 'count', message: 'count', kind: 'integer' },
    ])
    await person.accept(ask, { code: { kind: 'text', value: 'abc' } })
    expect(replyOf(await result)).toEqual({ action: 'accept', content: { code: 'abc' } })
    expect(problems).toEqual([])
  })

  it('has the defaults of its selects drafted', async () => {
    const requestedSchema = {
      type: 'object',
      properties: { size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'], default: 'm' } },
    }
    const answered = await connect(era, asking({ mode: 'form', message: 'Size?', requestedSchema }))
    const result = answered.callTool({ name: 'any' })
    const ask = await person.next()
    expect(ask.request.answers).toEqual({ size: { state: 'draft', value: { kind: 'selected', value: 'm' } } })
    await person.cancel(ask)
    expect(replyOf(await result)).toEqual({ action: 'cancel' })
  })

  it('gets a cancel for a page that must not be opened, and the log says why', async () => {
    const params = { mode: 'url', message: 'Open', url: 'javascript:alert(1)', elicitationId: 'a' }
    const answered = await connect(era, asking(params))
    expect(replyOf(await answered.callTool({ name: 'any' }))).toEqual({ action: 'cancel' })
    expect(problems).toEqual([expect.stringContaining('Only web addresses')])
    expect(person.sessions).toEqual([])
  })
})

describe('a server of 2025-11-25', () => {
  const page = { mode: 'url' as const, message: 'Sign in.', url: 'https://example.com/in', elicitationId: 'flow-1' }

  it('takes its ask off the desk when it withdraws it', async () => {
    const stop = new AbortController()
    const answered = await connect('2025-11-25', {
      'tools/call': async (_, { mcpReq }) => {
        const params = { message: 'Sure?', requestedSchema: { type: 'object' as const, properties: {} } }
        await mcpReq.send({ method: 'elicitation/create', params }, { signal: stop.signal }).catch(() => {})
        return { content: [{ type: 'text', text: '"Went on."' }] }
      },
    })
    const result = answered.callTool({ name: 'any' })
    const ask = await person.next()
    stop.abort()
    await person.gone(ask)
    expect(replyOf(await result)).toBe('Went on.')
  })

  it('ends the ask for a page that was completed without a word here', async () => {
    const answered = await connect('2025-11-25', {
      'tools/call': async (_, { mcpReq }, server) => {
        const reply = mcpReq.send({ method: 'elicitation/create', params: page })
        await finished
        await server.createElicitationCompletionNotifier(page.elicitationId)()
        return { content: [{ type: 'text', text: JSON.stringify(await reply) }] }
      },
    })
    let finish = () => {}
    const finished = new Promise<void>(resolve => {
      finish = resolve
    })
    const result = answered.callTool({ name: 'any' })
    const ask = await person.next()
    expect(ask.request.url).toBe(page.url)
    finish()
    await person.gone(ask)
    expect(replyOf(await result)).toEqual({ action: 'accept' })
  })

  it.each(['before', 'after'] as const)('is called again when its pages were completed %s consent', async when => {
    let isSignedIn = false
    let completed = async () => {}
    const answered = await connect('2025-11-25', {
      'tools/call': (_, _ctx, server) => {
        completed = async () => {
          isSignedIn = true
          await server.createElicitationCompletionNotifier(page.elicitationId)()
        }
        if (!isSignedIn) throw new UrlElicitationRequiredError([page])
        return { content: [{ type: 'text', text: '"Signed in."' }] }
      },
    })
    const result = answered.callTool({ name: 'any' })
    const ask = await person.next()
    expect(ask.request).toMatchObject({ url: page.url, _meta: { 'beckon/tool': 'any' } })
    if (when === 'before') await completed()
    else {
      await person.accept(ask)
      await completed()
    }
    expect(replyOf(await result)).toBe('Signed in.')
  })

  it.each([
    ['under one id', () => page],
    ['under another id each time', () => ({ ...page, elicitationId: randomUUID() })],
  ])('is called again until its page is done, %s, without being told or asking twice', async (_, named) => {
    let calls = 0
    const answered = await connect('2025-11-25', {
      'tools/call': () => {
        if (++calls < 3) throw new UrlElicitationRequiredError([named()])
        return { content: [{ type: 'text', text: '"Signed in."' }] }
      },
    })
    const result = answered.callTool({ name: 'any' })
    await person.accept(await person.next())
    expect(replyOf(await result)).toBe('Signed in.')
    expect(calls).toBe(3)
    const answers = person.actions.filter(({ action }) => action.type === 'session/inputCompleted')
    expect(answers).toHaveLength(1)
  })

  it('is not asked for pages without end', async () => {
    const answered = await connect('2025-11-25', {
      'tools/call': () => {
        const elicitationId = randomUUID()
        throw new UrlElicitationRequiredError([{ ...page, elicitationId, url: `${page.url}/${elicitationId}` }])
      },
    })
    const result = answered.callTool({ name: 'any' })
    result.catch(() => {})
    for (let visits = 0; visits < 3; visits++) await person.accept(await person.next())
    await expect(result).rejects.toMatchObject({ code: -32042 })
  })

  it('is not called again when the person declines its page', async () => {
    const answered = await connect('2025-11-25', {
      'tools/call': () => {
        throw new UrlElicitationRequiredError([page])
      },
    })
    const result = answered.callTool({ name: 'any' })
    result.catch(() => {})
    await person.decline(await person.next())
    await expect(result).rejects.toMatchObject({ code: -32042 })
  })
})

describe('a task', () => {
  const task = { taskId: 't-1', createdAt: '', lastUpdatedAt: '', ttlMs: null, pollIntervalMs: 5 }
  const confirm = (message: string) => ({
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties: {} } },
  })
  const seen: unknown[] = []
  beforeEach(() => {
    seen.length = 0
  })

  /** A task that goes from one state to the next with every look. */
  const going = (states: (object | (() => object))[]) => ({
    'tools/call': () => ({ resultType: 'task', status: 'working', ...task }),
    'tasks/get': () => {
      const state = states.length > 1 ? states.shift() : states[0]
      return { ...task, ...(typeof state === 'function' ? state() : state) }
    },
    'tasks/update': (_: unknown, { mcpReq }: ServerContext) => {
      seen.push(mcpReq.inputResponses)
      return {}
    },
    'tasks/cancel': ({ taskId }: Record<string, unknown>) => {
      seen.push({ cancelled: taskId })
      return {}
    },
  })
  const done = { status: 'completed', result: { content: [{ type: 'text', text: '"Done."' }] } }

  it('is followed to its result', async () => {
    const answered = await connect('2026-07-28', going([{ status: 'working' }, { status: 'working' }, done]))
    expect(replyOf(await answered.callTool({ name: 'any' }))).toBe('Done.')
  })

  it('says how it stands, whenever that changes', async () => {
    const states = ['One.', 'One.', 'Two.', 2].map(statusMessage => ({ status: 'working', statusMessage }))
    const answered = await connect('2026-07-28', going([...states, done]))
    const told: string[] = []
    await answered.callTool({ name: 'any' }, { onTaskStatus: message => told.push(message) })
    expect(told).toEqual(['One.', 'Two.'])
  })

  it('is given each answer as it comes, and asked for nothing twice', async () => {
    const both = { status: 'input_required', inputRequests: { a: confirm('A?'), b: confirm('B?') } }
    const answered = await connect('2026-07-28', {
      ...going([]),
      'tasks/get': () => ({ ...task, ...(seen.length === 2 ? done : both) }),
    })
    const result = answered.callTool({ name: 'any' })
    const asks = [await person.next(), await person.next()]
    for (const ask of asks) await (ask.request.message === 'A?' ? person.accept(ask) : person.decline(ask))
    expect(replyOf(await result)).toBe('Done.')
    expect(seen).toHaveLength(2)
    expect(Object.assign({}, ...seen)).toEqual({ a: { action: 'accept', content: {} }, b: { action: 'decline' } })
    const ends = () => person.actions.filter(({ action }) => action.type === 'session/turnComplete')
    await vi.waitFor(() => expect(ends()).toHaveLength(1), { timeout: 30_000 })
  })

  it('takes off the desk what it no longer asks', async () => {
    let isWithdrawn = false
    const answered = await connect('2026-07-28', {
      ...going([]),
      'tasks/get': () => {
        if (!isWithdrawn) return { ...task, status: 'input_required', inputRequests: { a: confirm('A?') } }
        return { ...task, ...(person.open.length > 0 ? { status: 'working' } : done) }
      },
    })
    const result = answered.callTool({ name: 'any' })
    const ask = await person.next()
    isWithdrawn = true
    await person.gone(ask)
    expect(replyOf(await result)).toBe('Done.')
    expect(seen).toEqual([])
  })

  it('is cancelled when the caller gives up', async () => {
    const waiting = { status: 'input_required', inputRequests: { a: confirm('A?') } }
    const answered = await connect('2026-07-28', going([waiting]))
    const stop = new AbortController()
    const result = answered.callTool({ name: 'any' }, { signal: stop.signal })
    result.catch(() => {})
    const ask = await person.next()
    stop.abort(new Error('Enough.'))
    await expect(result).rejects.toThrow('Enough.')
    await person.gone(ask)
    await eventually(() => expect(seen).toEqual([{ cancelled: 't-1' }]))
  })

  it('is looked at again when the server was out of reach', async () => {
    const states = [{ status: 'input_required', inputRequests: { a: confirm('A?') } }, done]
    const answered = await connect('2026-07-28', going(states))
    const { transport } = clients.at(-1) ?? {}
    const send = transport?.send
    let failures = 0
    if (transport && send) {
      transport.send = (message, options) => {
        const isTask = 'method' in message && message.method.startsWith('tasks/')
        return isTask && failures++ % 3 < 2
          ? Promise.reject(new TypeError('fetch failed'))
          : send.call(transport, message, options)
      }
    }
    const result = answered.callTool({ name: 'any' })
    await person.accept(await person.next())
    expect(replyOf(await result)).toBe('Done.')
    expect(failures).toBeGreaterThan(3)
  })

  it('fails with the error that the server gave, and says when the server cancelled it', async () => {
    const failed = await connect('2026-07-28', going([{ status: 'failed', error: { code: -32000, message: 'No.' } }]))
    await expect(failed.callTool({ name: 'any' })).rejects.toMatchObject({ code: -32000, message: 'No.' })
    const cancelled = await connect('2026-07-28', going([{ status: 'cancelled' }]))
    await expect(cancelled.callTool({ name: 'any' })).rejects.toThrow('cancelled the task')
  })

  it('is cancelled when it asks for what only the client could give', async () => {
    const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }
    const answered = await connect('2026-07-28', going([{ status: 'input_required', inputRequests: { s: sampling } }]))
    await expect(answered.callTool({ name: 'any' })).rejects.toThrow('sampling/createMessage')
    await eventually(() => expect(seen).toEqual([{ cancelled: 't-1' }]))
  })
})

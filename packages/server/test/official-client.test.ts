// The published client of the official SDK, in both eras, over HTTP and stdio.
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  type Progress,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { programOf } from '../../../test/programs/program.mjs'
import { createAskingServer } from './asking/server.js'

type Params = ElicitRequest['params']
type Answer = (params: Params, signal: AbortSignal) => ElicitResult | Promise<ElicitResult>

/** A process that compiles what it runs takes its time on a busy machine. */
const startWithinMs = 60_000

const program = await programOf(new URL('./asking/main.ts', import.meta.url))
const stdio = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: [program],
  })

const server = createAskingServer()
let http: () => Transport
beforeAll(async () => {
  const { url } = await server.listen({ port: 0 })
  http = () => new StreamableHTTPClientTransport(new URL(url))
})
afterAll(() => server.close())

describe.each([
  { era: 'legacy', over: 'http', version: '2025-11-25' },
  { era: 'modern', over: 'http', version: '2026-07-28' },
  { era: 'legacy', over: 'stdio', version: '2025-11-25' },
  { era: 'modern', over: 'stdio', version: '2026-07-28' },
] as const)('the official client, $era over $over', ({ era, over, version }) => {
  let answer: Answer
  let asked: Params[] = []
  const completed: string[] = []
  const client = new Client(
    { name: 'official', version: '1' },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: version } },
    },
  )
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => {
    asked.push(params)
    return answer(params, mcpReq.signal)
  })
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
    completed.push(params.elicitationId)
  })

  beforeAll(async () => {
    await client.connect(over === 'http' ? http() : stdio())
    // On 2026-07-28 a connection is not used before the first request: now its process has started.
    await client.listTools()
  }, startWithinMs)
  beforeEach(() => {
    asked = []
  })
  afterAll(() => client.close())

  async function call(name: string, args: Record<string, unknown> = {}): Promise<unknown> {
    const { content, isError } = await client.callTool({ name, arguments: args })
    const [first] = content
    return isError ? { isError, content } : first?.type === 'text' && first.text
  }

  it('speaks the version of its era', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
  })

  it('is asked as its era has it, also when a request has more in its _meta', async () => {
    answer = () => ({ action: 'accept', content: {} })
    const _meta = { 'io.modelcontextprotocol/logLevel': 'info', 'example.com/more': { a: [1] } }
    expect(await client.callTool({ name: 'erase', _meta })).toMatchObject({ content: [{ text: 'Erased.' }] })
  })

  it('fills in a form', async () => {
    answer = () => ({ action: 'accept', content: { name: 'Ada', seats: 2 } })
    expect(await call('book')).toBe('Booked 2 for Ada.')
    expect(asked).toMatchObject([
      { message: 'Which table?', requestedSchema: { properties: { seats: { type: 'integer', maximum: 4 } } } },
    ])
  })

  it('is asked again, with the reason, when an answer does not fit', async () => {
    answer = () => ({ action: 'accept', content: { name: 'Ada', seats: asked.length === 1 ? 12 : 3 } })
    expect(await call('book')).toBe('Booked 3 for Ada.')
    expect(asked[1]?.message).toMatch(/^Which table\?\n\nThe last answer did not fit\. seats: /)
  })

  it.each(['decline', 'cancel'] as const)('passes on a %s', async action => {
    answer = () => ({ action })
    expect(await call('book')).toBe(action)
    expect(await call('erase')).toBe('Kept.')
    expect(await call('visit')).toBe(action)
  })

  it('confirms', async () => {
    answer = () => ({ action: 'accept', content: {} })
    expect(await call('erase')).toBe('Erased.')
    expect(asked).toMatchObject([{ message: 'Erase everything?' }])
  })

  it('is asked twice in a row', async () => {
    answer = ({ message }) => ({ action: 'accept', content: message === 'Which drink?' ? { value: 'tea' } : {} })
    expect(await call('order')).toBe('One tea.')
    expect(asked.map(({ message }) => message)).toEqual(['Which drink?', 'One tea?'])
  })

  it('is asked two things at once', async () => {
    let both = (): void => {}
    const together = new Promise<void>(resolve => {
      both = resolve
    })
    answer = async ({ message }) => {
      if (asked.length === 2) both()
      await together
      return { action: 'accept', content: { value: message } }
    }
    expect(await call('pair')).toBe('The first? and The second?')
  })

  it('answers for a prompt', async () => {
    answer = () => ({ action: 'accept', content: { value: 'warm' } })
    expect(await client.getPrompt({ name: 'letter' })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Write a warm letter.' } }],
    })
  })

  it('answers for a resource', async () => {
    answer = () => ({ action: 'accept', content: {} })
    expect(await client.readResource({ uri: 'notes://7' })).toMatchObject({
      contents: [{ uri: 'notes://7', mimeType: 'text/plain', text: 'Note 7.' }],
    })
    expect(asked).toMatchObject([{ message: 'Show note 7?' }])
  })

  it('agrees to a URL', async () => {
    answer = () => ({ action: 'accept' })
    expect(await call('visit')).toBe('accept')
    expect(asked).toMatchObject([{ mode: 'url', url: 'https://example.com/look' }])
  })

  it('waits for what happens behind a URL, whether that is before or after the accept', async () => {
    for (const order of ['before', 'after']) {
      const id = `${era}-${over}-${order}`
      const done = () => call('done', { id })
      let after: Promise<unknown> | undefined
      answer = async () => {
        if (order === 'before') expect(await done()).toBe('true')
        else after = new Promise(resolve => setImmediate(resolve)).then(done)
        return { action: 'accept' }
      }
      expect(await call('link', { id })).toBe('accept, and the page is done')
      expect(await after).toBe(order === 'after' ? 'true' : undefined)
      expect(asked.at(-1)).toMatchObject({ mode: 'url', url: `https://example.com/link/${id}` })
    }
    const told = era === 'legacy' ? [`legacy-${over}-before`, `legacy-${over}-after`] : []
    expect(completed).toEqual(told)
  })

  it('has an error of its own instead of an answer', async () => {
    answer = () => {
      throw new Error('The window is gone.')
    }
    if (era === 'modern') {
      await expect(call('book')).rejects.toThrow('The window is gone.')
    } else {
      expect(await call('book')).toMatchObject({ isError: true })
      expect(await call('visit')).toMatchObject({
        content: [{ text: expect.stringContaining('showing the url failed') }],
      })
      expect(await call('erase')).toBe('Kept.')
    }
  })

  it('sees progress', async () => {
    const seen: unknown[] = []
    const onprogress = (progress: Progress) => {
      if (seen.push(progress) === 3) client.callTool({ name: 'enough' })
    }
    expect(await client.callTool({ name: 'count' }, { onprogress })).toMatchObject({ content: [{ text: 'Counted.' }] })
    expect(seen).toEqual([1, 2, 3].map(progress => ({ progress, total: 3, message: `step ${progress}` })))
  })

  it('cancels a call that works', async () => {
    const aborter = new AbortController()
    const call = client.callTool(
      { name: 'hang' },
      { signal: aborter.signal, onprogress: () => aborter.abort('Enough.') },
    )
    await expect(call).rejects.toThrow('Enough.')
    expect(await client.callTool({ name: 'cancelled' })).toMatchObject({ content: [{ text: 'It was cancelled.' }] })
  })

  it('cancels a call that asks', async () => {
    const aborter = new AbortController()
    let withdrawn = (): void => {}
    const isWithdrawn = new Promise<void>(resolve => {
      withdrawn = resolve
    })
    answer = (_params, signal) => {
      signal.addEventListener('abort', () => withdrawn())
      aborter.abort('Enough.')
      return era === 'legacy' ? new Promise(() => {}) : { action: 'cancel' }
    }
    await expect(client.callTool({ name: 'book' }, { signal: aborter.signal })).rejects.toThrow('Enough.')
    // On 2026-07-28 the client has the ask in a reply: there is nothing to withdraw.
    if (era === 'legacy') await isWithdrawn
  })
})

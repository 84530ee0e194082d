// The published client of the official SDK, in every era, against two processes on one store, behind a balancer that picks
// one at random for each request.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Place, sharedStores } from '../three-nodes/shared-stores.js'
import { type Balancer, startBalancer } from './balancer.js'
import { type Processes, startProcesses } from './processes.js'

const eras = [
  {
    version: '2025-06-18',
    options: { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: ['2025-06-18'] },
  },
  { version: '2025-11-25', options: { versionNegotiation: { mode: 'legacy' } } },
  { version: '2026-07-28', options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } },
] as const

/** How long a process may be silent. */
const leaseMs = 1_500
/** A call that hangs shows. */
const timeout = 30_000

const drinks = async (message: string) => (message === 'Which drink?' ? 'tea' : true)

/** Someone who thinks about the drink until they are told to answer. */
function thinking() {
  let asked = 0
  let answers = (): void => {}
  const told = new Promise<void>(resolve => {
    answers = resolve
  })
  return {
    answers,
    async answer(message: string) {
      asked++
      if (message === 'Which drink?') await told
      return drinks(message)
    },
    wasAsked: (times: number) => vi.waitFor(() => expect(asked).toBe(times), { timeout: 20_000 }),
  }
}

describe.each(sharedStores)('two processes on one $name', ({ isHere, create }) => {
  describe.skipIf(!isHere)('behind a balancer', { timeout: 60_000 }, () => {
    let place: Place
    let processes: Processes
    let balancer: Balancer
    const closing: (() => Promise<void>)[] = []

    beforeAll(async () => {
      place = await create()
      processes = await startProcesses(place.where, { count: 2, leaseMs })
      balancer = await startBalancer(() => processes.urls())
    })
    afterEach(async () => {
      for (const close of closing.splice(0)) await close()
    })
    afterAll(async () => {
      await balancer.close()
      processes.end()
      await place.remove()
    })

    async function connect({ options }: (typeof eras)[number], answer: (message: string) => Promise<string | boolean>) {
      const client = new Client({ name: 'official', version: '1' }, {
        ...options,
        capabilities: { elicitation: { form: {}, url: {} } },
      } as never)
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        const answered = await answer(params.mode === 'url' ? params.url : params.message)
        return { action: 'accept', content: typeof answered === 'string' ? { value: answered } : {} }
      })
      const transport = new StreamableHTTPClientTransport(new URL(balancer.url))
      await client.connect(transport)
      closing.push(() => client.close())
      const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
        const { content } = await client.callTool({ name, arguments: args }, { timeout })
        return content[0]?.type === 'text' ? content[0].text : ''
      }
      return { client, transport, call }
    }

    it.each(eras)('a client of $version is asked and answered, whichever process gets what', async era => {
      const { call, transport, client } = await connect(era, drinks)
      const before = new Map(balancer.given)
      const results = await Promise.all(Array.from({ length: 20 }, () => call('order')))
      expect(new Set(results)).toEqual(new Set(['One tea.']))
      for (const url of processes.urls()) {
        const key = `POST ${url}`
        expect((balancer.given.get(key) ?? 0) - (before.get(key) ?? 0)).toBeGreaterThan(5)
      }
      expect((await client.listTools()).tools).toHaveLength(3)
      const { sessionId } = transport
      if (sessionId === undefined) return
      await transport.terminateSession()
      const headers = { accept: 'text/event-stream', 'mcp-session-id': sessionId }
      for (const url of processes.urls())
        await vi.waitFor(async () => expect((await fetch(url, { headers })).status).toBe(404), { timeout: 5_000 })
    })

    it.each(eras)('a client of $version is asked by prompts and resources, too', async era => {
      const { client } = await connect(era, drinks)
      const prompts = await Promise.all(
        Array.from({ length: 6 }, () => client.getPrompt({ name: 'greeting' }, { timeout })),
      )
      for (const { messages } of prompts) expect(messages).toMatchObject([{ content: { text: 'Good tea!' } }])
      const read = await Promise.all(
        Array.from({ length: 6 }, () => client.readResource({ uri: 'menu://today' }, { timeout })),
      )
      for (const { contents } of read) expect(contents).toMatchObject([{ text: 'Soup.' }])
    })

    it.each(eras.slice(1))(
      'a client of $version is sent to a page, whose callback comes to whichever process',
      async era => {
        const other = await connect(era, drinks)
        const { call } = await connect(era, async url => {
          expect(await other.call('paid', { id: new URL(url).searchParams.get('id') })).toBe('true')
          return true
        })
        const results = await Promise.all(Array.from({ length: 8 }, () => call('pay')))
        expect(new Set(results)).toEqual(new Set(['Paid.']))
      },
    )

    it('clients of 2025 go on when their connections are cut, on whichever process they come back', async () => {
      const person = thinking()
      const clients = await Promise.all(eras.slice(0, 2).map(era => connect(era, person.answer)))
      const calls = clients.flatMap(({ call }) => Array.from({ length: 8 }, () => call('order')))
      const ends = Promise.all(calls)
      await person.wasAsked(calls.length)
      balancer.cut()
      const before = [...balancer.given.values()].reduce((sum, count) => sum + count, 0)
      // All of them come back, and the GET streams of both.
      await vi.waitFor(
        () =>
          expect([...balancer.given.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(
            before + calls.length + clients.length,
          ),
        { timeout: 20_000 },
      )
      person.answers()
      expect(new Set(await ends)).toEqual(new Set(['One tea.']))
    })

    it('clients of every era go on when a process is killed, and every call ends', async () => {
      const person = thinking()
      const clients = await Promise.all(eras.map(era => connect(era, person.answer)))
      const each = 8
      const ends = clients.map(({ call }) =>
        Promise.all(
          Array.from({ length: each }, () =>
            call('order').catch(({ code, message }: Error & { code?: unknown }) => ({ code, message })),
          ),
        ),
      )
      await person.wasAsked(each * clients.length)
      await processes.kill()
      person.answers()
      let ended = 0
      for (const [index, { transport, call }] of clients.entries()) {
        const { sessionId } = transport
        const errors = (await ends[index])?.filter(end => end !== 'One tea.') ?? []
        // On 2025 a call is on the process that died: its client is told so, and not left to wait. On 2026-07-28 none is.
        const isGone = { code: -32603, message: expect.stringContaining('is gone') }
        expect(errors).toEqual(sessionId === undefined ? [] : errors.map(() => isGone))
        ended += errors.length
        expect(await call('order')).toBe('One tea.')
        expect(transport.sessionId).toBe(sessionId)
      }
      // Those of the other process go on.
      expect(ended).toBeLessThan(2 * each)
    })
  })
})

// The same answers get the same reply (R4), also where the call went on at the desk after them, and a reply was lost.
import { expect, it, onTestFinished, vi } from 'vitest'
import { deskDouble } from '../../test/desk-double.js'
import { createServer } from '../index.js'
import { memoryStore } from '../store/index.js'

const meta = 'io.modelcontextprotocol/'

interface Result {
  readonly requestState?: string
  readonly inputRequests?: Readonly<Record<string, unknown>>
  readonly content?: unknown
}

it('R4: gives the same reply to the same answers, after an ask on the desk, and asks nobody again', async () => {
  const desk = deskDouble()
  const store = { ...memoryStore(), shared: true }
  const server = createServer({ name: 'bank', version: '1', desk, wait: 'hold', store, identify: () => 'ann' })
  onTestFinished(() => server.close())
  let runs = 0
  server.tool('pay', {}, async (_input, ctx) => {
    const run = ++runs
    const schema = { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] } as const
    const given = await ctx.elicit({ question: 'How much?', schema, key: 'amount' })
    const isAllowed = await ctx.confirm({ question: 'Allow it?', audience: { principals: ['boss'] } })
    return `run ${run}: ${JSON.stringify(given)}, ${isAllowed}`
  })
  async function send(more: object = {}): Promise<Result> {
    const _meta = {
      [`${meta}protocolVersion`]: '2026-07-28',
      [`${meta}clientCapabilities`]: { elicitation: { form: {} } },
      [`${meta}clientInfo`]: { name: 'by hand', version: '1' },
    }
    const response = await server.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'pay',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'pay', arguments: {}, ...more, _meta },
        }),
      }),
    )
    const text = await response.text()
    return JSON.parse(text.slice(text.indexOf('{'))).result
  }
  const { requestState, inputRequests = {} } = await send()
  const [key = ''] = Object.keys(inputRequests)
  const answers = { requestState, inputResponses: { [key]: { action: 'accept', content: { amount: 5 } } } }
  const first = send(answers)
  await vi.waitFor(() => expect(desk.messages()).toEqual(['Allow it?']))
  desk.answer('Allow it?', { action: 'accept', content: {} })
  const { content } = await first
  expect(content).toMatchObject([{ text: 'run 1: {"amount":5}, true' }])
  for (let time = 0; time < 3; time++) expect(await send(answers)).toMatchObject({ content })
  expect([runs, desk.messages()]).toEqual([1, []])
})

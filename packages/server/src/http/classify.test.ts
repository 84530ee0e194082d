// The SDK's classifier and its check of headers are the measure: the same era, and the same error with the same status.
import { classifyInboundRequest, createMcpHandler, Server } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Classified, classify } from './classify.js'

const prefix = 'io.modelcontextprotocol/'
const version = `${prefix}protocolVersion`
const capabilities = `${prefix}clientCapabilities`
const envelope = { [version]: '2026-07-28', [capabilities]: {} }
const regular = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }

type Headers = Readonly<Record<string, string>>

const rarely = <T>(usual: T, ...other: T[]) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 4 }, fc.constantFrom(...other))
const meta = fc.record(
  {
    [version]: rarely<unknown>('2026-07-28', '2025-11-25', '2030-01-01', 5, null),
    [capabilities]: rarely<unknown>({}, { elicitation: {} }, { elicitation: { form: {} } }, { sampling: 1 }, [], 'x', {
      extensions: { a: {} },
    }),
    [`${prefix}clientInfo`]: rarely<unknown>({ name: 'c', version: '1' }, { name: 'c' }, 7),
    [`${prefix}logLevel`]: rarely<unknown>('info', 'loud', 1),
    progressToken: rarely<unknown>(1, 'x', {}),
  },
  { requiredKeys: [] },
)
const method = fc.constantFrom(
  'tools/list',
  'tools/call',
  'initialize',
  'server/discover',
  'resources/read',
  'tasks/get',
)
const params = fc.record(
  { _meta: fc.oneof(fc.constant(envelope), meta), name: rarely<unknown>('a', 'b', 5), uri: fc.constant('a:b') },
  { requiredKeys: [] },
)
const request = fc.record(
  { jsonrpc: fc.constant('2.0'), id: fc.integer(), method, params },
  { requiredKeys: ['jsonrpc', 'method', 'params'] },
)
const body = fc.oneof(
  { arbitrary: request, weight: 6 },
  fc.array(fc.oneof(request, fc.jsonValue()), { maxLength: 2 }),
  fc.record({ jsonrpc: fc.constant('2.0'), id: fc.integer(), result: fc.constant({}) }),
  fc.jsonValue(),
)
const headers: fc.Arbitrary<Headers> = fc.record(
  {
    'mcp-protocol-version': rarely('2026-07-28', '2025-11-25', ' 2026-07-28 ', '2031-01-01'),
    'mcp-method': method,
    'mcp-name': rarely('a', 'a:b', '=?base64?YQ==?=', '=?base64?!?='),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Headers>

const ours = (message: unknown, given: Headers): Classified => classify(message, { header: name => given[name] })

it('finds the era that the SDK finds, and refuses what it refuses', () => {
  const seen = { legacy: 0, modern: 0, reject: 0 }
  fc.assert(
    fc.property(body, headers, (message, given) => {
      const theirs = classifyInboundRequest({
        httpMethod: 'POST',
        body: message,
        ...(given['mcp-protocol-version'] !== undefined && { protocolVersionHeader: given['mcp-protocol-version'] }),
        ...(given['mcp-method'] !== undefined && { mcpMethodHeader: given['mcp-method'] }),
      })
      const found = ours(message, given)
      seen[theirs.kind] += 1
      if (theirs.kind === 'legacy') expect(found.kind).toBe('legacy')
      else if (theirs.kind === 'reject')
        expect(found).toMatchObject({ kind: 'refused', status: theirs.httpStatus, error: { code: theirs.code } })
      // What it takes for modern has more checks to pass.
      else expect(['request', 'notification', 'refused']).toContain(found.kind)
    }),
    { numRuns: 5_000 },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100)
})

it('refuses what its handler refuses after that', async () => {
  const sdk = createMcpHandler(
    () => new Server({ name: 's', version: '1' }, { capabilities: { tools: {}, prompts: {}, resources: {} } }),
    { legacy: 'reject' },
  )
  const codes = new Set<number>()
  await fc.assert(
    fc.asyncProperty(request, headers, async (message, given) => {
      const found = ours(message, given)
      if (found.kind !== 'request' && found.kind !== 'refused') return
      const response = await sdk.fetch(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: { ...given, 'Content-Type': 'application/json' },
          body: JSON.stringify(message),
        }),
      )
      if (found.kind === 'refused') {
        codes.add(found.error.code)
        const { error } = await response.json()
        expect([response.status, error.code]).toEqual([found.status, found.error.code])
      } else expect([200, 404]).toContain(response.status)
    }),
    { numRuns: 1_500 },
  )
  expect([...codes].sort()).toEqual([-32020, -32022, -32600, -32602])
})

it.each([
  ['one that is regular', { method: 'tools/list' }, regular, 'request'],
  ['a header of another method', { method: 'tools/list' }, { ...regular, 'mcp-method': 'tools/call' }, 'refused'],
  ['no header of the version', { method: 'tools/list' }, { 'mcp-method': 'tools/list' }, 'refused'],
])('takes %s as it should', (_what, { method: called }, given, kind) => {
  const message = { jsonrpc: '2.0', id: 1, method: called, params: { _meta: envelope } }
  expect(ours(message, given).kind).toBe(kind)
})

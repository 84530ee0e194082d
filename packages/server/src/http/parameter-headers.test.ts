import { describe, expect, it } from 'vitest'
import { FetchExchange } from './exchange/fetch-exchange.js'
import { decodeHeaderValue } from './header-value.js'
import { parameterHeadersOf, parameterMismatch } from './parameter-headers.js'

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    place: { type: 'object', properties: { zone: { type: 'integer', 'x-mcp-header': 'Zone' } } },
    list: { type: 'array', items: { 'x-mcp-header': 'Nowhere' } },
  },
}
const declared = parameterHeadersOf(schema) ?? []
const check = (args: unknown, headers: Record<string, string>) =>
  parameterMismatch(declared, args, new FetchExchange(new Request('http://localhost', { headers })))

describe('arguments that are repeated in headers', () => {
  it('are read off the properties of a schema', () => {
    expect(declared).toEqual([
      { path: ['region'], name: 'Region' },
      { path: ['place', 'zone'], name: 'Zone' },
    ])
    expect(parameterHeadersOf({ type: 'object' })).toBeUndefined()
    expect(parameterHeadersOf(true)).toBeUndefined()
  })

  it.each([
    [{}, {}],
    [undefined, {}],
    [{ region: null }, { 'mcp-param-region': 'ignored' }],
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
    [{ place: { zone: 4 } }, { 'mcp-param-zone': '4.0' }],
    [{ place: 'elsewhere' }, {}],
  ])('agree: %j %j', (args, headers) => {
    expect(check(args, headers)).toBeUndefined()
  })

  it.each([
    [{ region: 'eu' }, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'EU' }],
    [{ region: 'eu' }, { 'mcp-param-region': '=?base64?ZXU?=' }],
    [{ place: { zone: 4 } }, { 'mcp-param-zone': '5' }],
    [{ place: { zone: 4 } }, { 'mcp-param-zone': '0x4' }],
  ])('disagree: %j %j', (args, headers) => {
    expect(check(args, headers)).toMatchObject({ code: -32020, data: { mismatch: {} } })
  })
})

it('reads header values in base64', () => {
  expect(decodeHeaderValue('=?base64?w6k=?=')).toBe('é')
  expect(decodeHeaderValue(' plain ')).toBe('plain')
  expect(decodeHeaderValue('=?base64?')).toBe('=?base64?')
  for (const bad of ['=?base64?w6k?=', '=?base64?*?=', '=?base64?/w==?='])
    expect(decodeHeaderValue(bad)).toBeUndefined()
})

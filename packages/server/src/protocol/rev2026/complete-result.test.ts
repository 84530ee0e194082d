import { expect, it } from 'vitest'
import { completeResult } from './complete-result.js'

const info = { name: 'shop "2"', version: '1' }
const stamp = { 'io.modelcontextprotocol/serverInfo': info }
const complete = (result: Record<string, unknown>, method = 'tools/call') =>
  JSON.parse(completeResult(result, method, info))

it.each<[Record<string, unknown>, Record<string, unknown>]>([
  [{}, { resultType: 'complete', _meta: stamp }],
  [{ a: undefined }, { resultType: 'complete', _meta: stamp }],
  [{ content: ['}'] }, { resultType: 'complete', content: ['}'], _meta: stamp }],
  [
    { resultType: 'task', id: 1 },
    { resultType: 'task', id: 1, _meta: stamp },
  ],
  [
    { resultType: undefined, id: 1 },
    { resultType: 'complete', id: 1, _meta: stamp },
  ],
  [
    { id: 1, _meta: { mine: 1 } },
    { resultType: 'complete', id: 1, _meta: { ...stamp, mine: 1 } },
  ],
  [
    { id: 1, _meta: 'mine' },
    { resultType: 'complete', id: 1, _meta: stamp },
  ],
  [
    { id: 1, toJSON: 'mine' },
    { resultType: 'complete', id: 1, toJSON: 'mine', _meta: stamp },
  ],
])('completes %j', (result, expected) => {
  expect(complete(result)).toEqual(expected)
})

it('says that a resource is not to be cached, unless it says otherwise', () => {
  expect(complete({ contents: [] }, 'resources/read')).toMatchObject({ ttlMs: 0, cacheScope: 'private', _meta: stamp })
  expect(complete({ contents: [], ttlMs: 5 }, 'resources/read')).toMatchObject({ ttlMs: 5, cacheScope: 'private' })
})

it('takes nothing that is no JSON', () => {
  expect(() => complete({ a: 1n })).toThrow(TypeError)
})

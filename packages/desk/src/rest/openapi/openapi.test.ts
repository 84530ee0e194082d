import { isRecord } from '@beckon/core/json-rpc'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createTestClock } from 'beckon/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveRest } from '../../../test/serve-rest.js'
import { EventsClient } from '../../../test/watch-events.js'
import { createParts, type DeskParts } from '../../desk-parts.js'
import { openSession } from '../../turns/desk-session.js'
import type { Turn } from '../../turns/turn.js'
import { createRest, type Rest } from '../rest.js'
import { askOperations } from './ask-operations.js'
import { openapi, tables } from './document.js'
import { schemas } from './schemas.js'

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addSchema({ ...openapi, $id: 'desk' })

function check(pointer: string, value: unknown): void {
  const validate = ajv.getSchema(`desk#${pointer}`)
  if (validate === undefined) throw new Error(`There is no ${pointer}.`)
  expect(validate(value), JSON.stringify([pointer, validate.errors, value])).toBe(true)
}

const pointerPart = (part: string) =>
  part.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')

/** Everything in the document, with where it is. */
function* walk(value: unknown, at = ''): Generator<[string, Record<string, unknown>]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* walk(item, `${at}/${index}`)
  if (!isRecord(value)) return
  yield [at, value]
  for (const [key, item] of Object.entries(value)) yield* walk(item, `${at}/${key}`)
}

describe('the document', () => {
  it('has every operation of every table, by a name and at a place of its own', () => {
    const operations = tables.flatMap(table => Object.entries(table))
    const documented = Object.entries(openapi.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      ([path, item]) => Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    )
    const listed = operations.map(([name, { method, path }]) => `${name} ${method.toLowerCase()} ${path}`)
    expect(documented.sort()).toEqual(listed.sort())
    expect(new Set(operations.map(([name]) => name)).size).toBe(operations.length)
  })

  it('resolves every reference, and uses every schema', () => {
    const used = new Set<string>()
    for (const [at, { $ref }] of walk(openapi)) {
      if (typeof $ref !== 'string') continue
      const name = $ref.replace('#/components/schemas/', '')
      expect(Object.hasOwn(schemas, name), `${at}: ${$ref}`).toBe(true)
      used.add(name)
    }
    // The data of events is text as far as OpenAPI goes: the description names these.
    const told = new Set(JSON.stringify(askOperations.watchEvents).match(/\w+Event\b/g))
    expect(Object.keys(schemas).filter(name => !used.has(name) && !told.has(name))).toEqual([])
  })

  it('has schemas that compile', () => {
    for (const name of Object.keys(schemas)) expect(ajv.getSchema(`desk#/components/schemas/${name}`)).toBeDefined()
  })

  it('describes each operation: its path parameters, its answers', () => {
    const operations = tables.flatMap(table => Object.values(table))
    for (const operation of operations) {
      const parameters = (operation.parameters ?? []) as { name: string; in: string; required?: boolean }[]
      const inPath = parameters.filter(parameter => parameter.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(operation.path.match(/\{\w+\}/g) ?? [])
      expect(inPath.every(({ required }) => required)).toBe(true)
      expect(operation.summary).toEqual(expect.any(String))
      for (const response of Object.values(operation.responses as object)) {
        expect(response).toMatchObject({ description: expect.any(String), content: expect.any(Object) })
      }
    }
  })
})

describe('what the desk answers', () => {
  const clock = createTestClock()
  let parts: DeskParts
  let rest: Rest
  let served: Awaited<ReturnType<typeof serveRest>>
  let turn: Turn

  beforeAll(async () => {
    parts = createParts({ clock })
    rest = createRest(parts)
    served = await serveRest(rest)
    turn = await (await openSession(parts.turns, { id: 's', title: 'Session', server: 'shop' })).startTurn()
  })

  afterAll(async () => {
    rest.close()
    await served.close()
    await parts.close()
  })

  /** Makes a request, and checks what is sent and what comes back against the document. */
  async function call(method: string, path: string, route: string, body?: unknown, isBodyGood = true): Promise<number> {
    const response = await fetch(`${served.url}${path}`, {
      method,
      headers: { authorization: 'Bearer alice', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const at = `/paths/${pointerPart(route)}/${method.toLowerCase()}`
    if (body !== undefined && isBodyGood) check(`${at}/requestBody/content/application~1json/schema`, body)
    const type = pointerPart(response.headers.get('content-type') ?? '')
    check(`${at}/responses/${response.status}/content/${type}/schema`, await response.json())
    return response.status
  }

  it('is as the document says', async () => {
    const watcher = await EventsClient.open(`${served.url}/api/events`)
    const questions = [
      { id: 'name', kind: 'text' as const, message: 'Name', required: true, min: 1, defaultValue: 'x' },
      { id: 'n', kind: 'integer' as const, message: 'N', max: 3 },
      { id: 'b', kind: 'boolean' as const, message: 'B' },
      { id: 'o', kind: 'single-select' as const, message: 'O', options: [{ id: 'a', label: 'A', recommended: true }] },
      { id: 'm', kind: 'multi-select' as const, message: 'M', options: [{ id: 'a', label: 'A' }], min: 0 },
    ]
    const about = { 'beckon/tool': 'deploy', 'beckon/arguments': { app: 'web' }, 'beckon/asker': 'CI' }
    turn.ask({ id: 'f', message: 'Where?', questions, _meta: about }).catch(() => {})
    turn.ask({ id: 'q', message: 'Sure?' }, { quorum: 2 }).catch(() => {})
    turn.ask({ id: 'u', message: 'Visit', url: 'https://example.com/' }, { timeoutMs: 1000 }).catch(() => {})
    turn.ask({ id: 'd', message: 'Sure?' }).catch(() => {})
    await watcher.count(4)
    const ask = '/api/asks/{session}/{id}'
    const draft = `${ask}/drafts/{questionId}`
    const statuses = [
      await call('PUT', '/api/asks/s/f/drafts/name', draft, { value: 'web', state: 'submitted' }),
      await call('PUT', '/api/asks/s/f/drafts/m', draft, { value: ['a'] }),
      await call('PUT', '/api/asks/s/f/drafts/n', draft, { state: 'skipped' }),
      await call('PUT', '/api/asks/s/f/drafts/b', draft, { value: null }),
      await call('PUT', '/api/asks/s/f/drafts/n', draft, { value: 'x' }),
      await call('PUT', '/api/asks/s/f/drafts/n', draft, { state: 'x' }, false),
      await call('GET', '/api/asks', '/api/asks'),
      await call('GET', '/api/asks?limit=1&tool=deploy&search=web', '/api/asks'),
      await call('GET', '/api/asks?limit=x', '/api/asks'),
      await call('GET', '/api/asks?mine=true&destructive=false&order=due', '/api/asks'),
      await call('POST', '/api/asks/s/f/comments', `${ask}/comments`, { text: 'Which one?' }),
      await call('POST', '/api/asks/s/f/comments', `${ask}/comments`, {}, false),
      await call('POST', '/api/asks/s/f/delegate', `${ask}/delegate`, { to: 'nobody' }),
      await call('GET', '/api/me', '/api/me'),
      await call('GET', '/api/me/away', '/api/me/away'),
      await call('PUT', '/api/me/away', '/api/me/away', { until: clock.now() + 1_000, to: 'alice' }),
      await call('DELETE', '/api/me/away', '/api/me/away'),
      await call('GET', '/api/asks/s/f', ask),
      await call('GET', '/api/asks/s/nope', ask),
      await call('POST', '/api/asks/s/f/answer', `${ask}/answer`, { content: { n: 9 } }),
      await call('POST', '/api/asks/s/f/answer', `${ask}/answer`, { content: { n: 1, b: null, o: 'a', m: [] } }),
      await call('POST', '/api/asks/s/f/answer', `${ask}/answer`, {}),
      await call('POST', '/api/asks/s/q/answer', `${ask}/answer`),
      await call('POST', '/api/asks/s/q/answer', `${ask}/answer`, [], false),
      await call('POST', '/api/asks/s/d/decline', `${ask}/decline`, { reason: 'No.' }),
      await call('POST', '/api/asks/s/nope/cancel', `${ask}/cancel`, {}),
      await call('POST', '/api/asks/s/q/cancel', `${ask}/cancel`, {}),
      await call('GET', '/api/asks/s/f', ask),
      await call('GET', '/api/sessions', '/api/sessions'),
      await call('GET', '/api/audit?limit=5', '/api/audit'),
      await call('GET', '/api/audit?since=x', '/api/audit'),
      await call('GET', '/api/audit/verify', '/api/audit/verify'),
      await call('GET', '/api/openapi.json', '/api/openapi.json'),
    ]
    expect(statuses).toEqual([
      ...[200, 200, 200, 200, 422, 400],
      ...[200, 200, 400, 200, 201, 400, 403, 200, 404, 422, 404, 200, 404],
      ...[422, 200, 409, 202, 400],
      ...[200, 404, 200, 200],
      ...[200, 200, 400, 403, 200],
    ])
    await clock.advance(1000)
    await watcher.until(() => watcher.events.some(({ event }) => event === 'expired'))
    const names: Record<string, string> = { asked: 'OpenAsk', drafted: 'DraftedEvent', commented: 'CommentedEvent' }
    for (const { event, data } of watcher.events) check(`/components/schemas/${names[event] ?? 'EndedEvent'}`, data)
    watcher.close()
    const reset = await EventsClient.open(`${served.url}/api/events`, { lastEventId: 'x' })
    check('/components/schemas/ResetEvent', (await reset.count(1))[0]?.data)
    reset.close()
  })
})

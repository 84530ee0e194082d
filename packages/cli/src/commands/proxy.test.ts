import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { askingOnStdio, type Running, rawServer, startBeckon } from '../../test/beckon.js'
import { connectStdio, type Era, eras, newClient, patience, textOf } from '../../test/clients.js'
import { type InboxPerson, openInbox } from '../../test/inbox-person.js'
import { type Over, sharedProxies } from '../../test/shared-proxies.js'
import { anything } from '../proxy/anything.js'
import { withHandles } from '../proxy/handles.js'
import { command } from './proxy.js'

const patient = 120_000
const raw = (era: Era) => [...rawServer, era]
const both = [...askingOnStdio]
const { connect, shared } = sharedProxies(patient)

const ways = eras.flatMap(client =>
  eras.flatMap(server => (['stdio', 'http'] as Over[]).map(over => ({ client, server, over }))),
)

/** Clients without a proxy, to compare with. */
const plainClients = new Map<Era, Promise<Client>>()

function unproxied(era: Era): Promise<Client> {
  const known = plainClients.get(era) ?? connectStdio(newClient(era), raw(era))
  plainClients.set(era, known)
  return known
}

afterAll(async () => {
  for (const client of plainClients.values()) await (await client).close()
}, patient)

describe.each(ways)('a client of $client before a server of $server, over $over', ({ client: era, server, over }) => {
  it('is given the inbox when it cannot ask', { timeout: patient }, async () => {
    const { client, written, inbox } = await shared(era, { over, server: raw(server) })
    const result = client.callTool({ name: 'ask', arguments: { n: 1 } }, patience)
    await written(/raw asks: Which colour\? Answer at (\S+)/)
    const person = await inbox()
    const asked = await person.answer('Which colour?', { action: 'accept', content: { colour: 'blue' } })
    expect(asked).toMatchObject({ server: 'raw', tool: 'ask', arguments: { n: 1 } })
    expect(textOf(await result)).toBe('{"action":"accept","content":{"colour":"blue"}} raw-state')
  })

  it('is asked itself when it can be', { timeout: patient }, async () => {
    const asked: string[] = []
    const answering = newClient(era, ({ message }) => {
      asked.push(message)
      return { action: 'accept', content: { colour: 'red' } }
    })
    const { client } = await connect(answering, { over, server: raw(server) })
    const result = await client.callTool({ name: 'ask' }, patience)
    expect(textOf(result)).toBe('{"action":"accept","content":{"colour":"red"}} raw-state')
    expect(result._meta).toMatchObject({ own: 'result' })
    expect(asked).toEqual(['Which colour?'])
  })

  it('is sent to a page when it can show one', { timeout: patient }, async () => {
    const visited: unknown[] = []
    const visiting = newClient(era, ({ url }) => {
      visited.push(url)
      return { action: 'accept' }
    })
    const { client } = await connect(visiting, { over, server: raw(server) })
    expect(textOf(await client.callTool({ name: 'visit' }, patience))).toBe('{"action":"accept"}')
    expect(visited).toEqual(['https://raw.example/in'])
  })
})

it.each(eras)(
  'asks a client of 2025-06-18 what its version knows, before a server of %s',
  { timeout: patient },
  async server => {
    const forms: unknown[] = []
    const older = newClient('2025', undefined, {
      supportedProtocolVersions: ['2025-06-18'],
      capabilities: { elicitation: {} },
    })
    older.setRequestHandler('elicitation/create', async ({ params }) => {
      forms.push(params)
      return { action: 'accept', content: { 'toppings.h': false, 'toppings.o': true, size: 's' } }
    })
    const { client } = await connect(older, { over: 'stdio', server: raw(server) })
    expect(textOf(await client.callTool({ name: 'pick' }, patience))).toBe(
      '{"action":"accept","content":{"toppings":["o"],"size":"s"}}',
    )
    const properties = {
      'toppings.h': { type: 'boolean', title: 'toppings: Ham' },
      'toppings.o': { type: 'boolean', title: 'toppings: Olives' },
      size: { type: 'string', enum: ['s'], enumNames: ['Small'] },
    }
    expect(forms).toEqual([{ message: 'Which toppings?', requestedSchema: { type: 'object', properties } }])
  },
)

describe.each(eras)('everything but asks passes unchanged, %s', era => {
  const requests: [string, Record<string, unknown>][] = [
    ['tools/list', {}],
    ['tools/list', { cursor: 'page two' }],
    ['tools/call', { name: 'add', arguments: { n: 4, deep: [{ a: null }] }, _meta: { 'own/key': 'x' } }],
    ['prompts/list', {}],
    ['prompts/get', { name: 'greet', arguments: { who: 'Ada' } }],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'raw://one' }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'A' } }],
    ['own/method', { any: ['thing'] }],
  ]

  it.each(['stdio', 'http'] as const)('lists and results, over %s', { timeout: patient }, async over => {
    const plain = await unproxied(era)
    const { client } = await shared(era, { over, server: raw(era) })
    expect(client.getServerVersion()).toEqual(plain.getServerVersion())
    expect(client.getServerCapabilities()).toEqual(plain.getServerCapabilities())
    expect(client.getInstructions()).toEqual(plain.getInstructions())
    for (const [method, params] of requests) {
      const [direct, proxied] = await Promise.all(
        [plain, client].map(each => each.request({ method, params }, anything, patience)),
      )
      // Where nothing tells clients apart, each tool takes a handle.
      const takesHandles = method === 'tools/list' && era === '2026' && over === 'http'
      expect(JSON.stringify(proxied), method).toBe(JSON.stringify(takesHandles ? withHandles({ ...direct }) : direct))
    }
  })

  it('errors, with their numbers and data', { timeout: patient }, async () => {
    const plain = await unproxied(era)
    const { client } = await shared(era, { over: 'stdio', server: raw(era) })
    const failures = await Promise.all(
      [plain, client].map(each => each.callTool({ name: 'nothing' }, patience).catch(error => error)),
    )
    const [direct, proxied] = failures.map(({ code, message, data }) => ({ code, message, data }))
    expect(direct).toMatchObject({ code: -32602, data: { own: 'nothing' } })
    expect(proxied).toEqual(direct)
  })

  it.each(['stdio', 'http'] as const)(
    'progress, log messages and cancellation, over %s',
    { timeout: patient },
    async over => {
      const { client, written } = await shared(era, { over, server: raw(era) })
      const told: unknown[] = []
      let tell = () => {}
      const both = new Promise<void>(resolve => {
        tell = () => told.length === 2 && resolve()
      })
      const hear = (what: unknown) => {
        told.push(what)
        tell()
      }
      client.setNotificationHandler('notifications/message', ({ params }) => hear(params))
      if (era === '2025') await client.setLoggingLevel('debug')
      const level = era === '2026' ? { _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } } : {}
      const result = client.callTool({ name: 'progress', ...level }, { ...patience, onprogress: hear })
      await both
      await client.request({ method: 'own/go-on', params: {} }, anything, patience)
      expect(textOf(await result)).toBe('done')
      expect(told).toContainEqual({ progress: 1, total: 3, message: 'a' })
      expect(told).toContainEqual({ level: 'warning', data: { careful: true }, logger: 'raw' })

      const stop = new AbortController()
      const hanging = client.callTool({ name: 'hang' }, { ...patience, signal: stop.signal }).catch(() => 'stopped')
      await client.callTool({ name: 'add' }, patience)
      stop.abort()
      expect(await hanging).toBe('stopped')
      await written(/the call was cancelled/)
    },
  )

  it.each(['stdio', 'http'] as const)('changes of lists and resources, over %s', { timeout: patient }, async over => {
    let changed = () => {}
    const change = new Promise<void>(resolve => {
      changed = resolve
    })
    let updated = (_uri: string) => {}
    const update = new Promise<string>(resolve => {
      updated = resolve
    })
    const { client } = await shared(era, { over, server: raw(era) })
    client.setNotificationHandler('notifications/tools/list_changed', () => changed())
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated(params.uri))
    if (era === '2026') await client.listen({ toolsListChanged: true })
    await client.callTool({ name: 'change' }, patience)
    await change
    if (era === '2026') return
    await client.subscribeResource({ uri: 'raw://one' })
    expect(await update).toBe('raw://one')
  })
})

it('passes on what a server wants of the client', { timeout: patient }, async () => {
  const client = newClient('2025', undefined, { capabilities: { roots: {} } })
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///a', name: 'a' }] }))
  await connect(client, { over: 'http', server: raw('2025') })
  const result = await client.callTool({ name: 'sample' }, patience)
  expect(JSON.parse(textOf(result))).toEqual({ roots: [{ uri: 'file:///a', name: 'a' }] })
})

it.each(eras)('tells a model of %s to call again when the person takes long', { timeout: patient }, async era => {
  const { client, inbox } = await shared(era, { over: 'stdio', server: both, options: ['--wait', '0.2'] })
  const call = () => client.callTool({ name: 'erase' }, patience).then(textOf)
  expect(await call()).toMatch(/call "erase" again with the same arguments/)
  const person = await inbox()
  await person.answer('Erase everything?', { action: 'accept' })
  let said = await call()
  while (said.includes('call "erase" again')) said = await call()
  expect(said).toBe('Erased.')
})

it('tells only of a person who is asked for that very call', { timeout: patient }, async () => {
  const { client } = await shared('2026', { over: 'stdio', server: raw('2026'), options: ['--wait', '0.2'] })
  const slow = client.callTool({ name: 'progress' }, patience).then(textOf)
  const ask = () => client.callTool({ name: 'ask' }, patience).then(textOf)
  // By the time that these have waited, the slow call has waited longer.
  for (let calls = 0; calls < 3; calls++) expect(await ask()).toMatch(/call "ask" again/)
  await client.request({ method: 'own/go-on', params: {} }, anything, patience)
  expect(await slow).toBe('done')
})

describe('with a desk elsewhere', () => {
  let inbox: Running
  let person: InboxPerson
  let address: string

  beforeAll(async () => {
    inbox = startBeckon(['inbox', '--port', '0', '--store', 'memory', '--server', 'shop'])
    person = await openInbox((await inbox.written(/Inbox: +(\S+)/))[1] ?? '')
    address = (await inbox.written(/For shop: +(\S+)/))[1] ?? ''
  }, patient)

  afterAll(() => inbox.stop(), patient)

  it.each(eras)('has everything answered there, %s', { timeout: patient }, async era => {
    const { client, written } = await shared(era, { over: 'http', server: both, options: ['--desk', address] })
    const call = (name: string) => client.callTool({ name, arguments: {} }, patience).then(textOf)

    const erased = call('erase')
    const asked = await person.answer('Erase everything?', { action: 'accept' })
    expect(asked).toMatchObject({ server: 'shop', tool: 'erase', arguments: {} })
    expect(await erased).toBe('Erased.')
    expect((await written(/asks: Erase everything\? Answer at (\S+)/))[1]).not.toContain('@')

    const content = { name: 'Ada', mail: 'ada@shop.example', story: 'Once.', height: 1.8, extras: ['wifi'] }
    const form = call('every_kind')
    await person.answer('Tell us everything.', {
      action: 'accept',
      content: { ...content, seats: 3, window: true, by: 't' },
    })
    expect(JSON.parse(await form)).toEqual({
      action: 'accept',
      content: { ...content, seats: 3, window: true, by: 't' },
    })

    const declined = call('every_kind')
    await person.answer('Tell us everything.', { action: 'decline', reason: 'Too nosy.' })
    expect(JSON.parse(await declined)).toMatchObject({ action: 'decline', reason: 'Too nosy.' })

    const visit = call('visit')
    expect(await person.answer('Accept the terms.', { action: 'decline' })).toMatchObject({ url: expect.any(String) })
    expect(await visit).toBe('decline')
  })
})

it.each([
  [['--desk', 'nowhere'], 'https://name:token@desk.example'],
  [['--desk', 'https://desk.example'], 'BECKON_DESK_TOKEN'],
  [['--desk', 'https://a:b@desk.example', '--desk-port', '1'], '--desk-port'],
])('says what is wrong with %j', async (options, words) => {
  vi.stubEnv('BECKON_DESK_TOKEN', '')
  const failure = await command.run([...options, 'http://127.0.0.1:9/mcp']).catch(error => error)
  expect([failure.exitCode, failure.message]).toEqual([2, expect.stringContaining(words)])
})

it('says what it takes', async () => {
  const failure = await command.run([]).catch(error => error)
  expect([failure.exitCode, failure.message]).toEqual([
    2,
    expect.stringContaining('beckon proxy <url>, or beckon proxy --'),
  ])
})

// Several servers through one proxy: both eras of servers, before official clients of both eras, one of them with approvals.
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, rawServer, startBeckon } from '../../test/beckon.js'
import { connectHttp, type Era, eras, newClient, patience, textOf } from '../../test/clients.js'
import { type InboxPerson, openInbox } from '../../test/inbox-person.js'
import { anything } from '../proxy/anything.js'
import { command } from './proxy.js'

const patient = 120_000
const [program = '', ...words] = rawServer
const raw = (era: Era) => ({
  command: program,
  args: [...words, era],
  env: { RAW: era },
})
const peers = new URL('../../../../conformance/peers/node_modules/', import.meta.url)
const published = ['@modelcontextprotocol', 'server-everything', 'dist', 'index.js'].join('/')
const everything = process.env.BECKON_SERVER_EVERYTHING ?? fileURLToPath(new URL(published, peers))
const isThere = existsSync(everything)
if (!isThere) console.log('skipped: tasks of server-everything, which is not installed in conformance/peers')
const mcpServers = {
  ...{ old: raw('2025'), new: raw('2026'), gone: { command: 'no-such-program-anywhere' } },
  ...(isThere && { all: { command: process.execPath, args: [everything] } }),
}
const rules = [
  { id: 'all', effect: 'allow', match: { server: '*', destructive: true } },
  { id: 'mild', effect: 'allow', match: { server: 'all' } },
  { id: 'no-change', effect: 'deny', match: { server: 'new', tool: 'change' }, reason: 'By hand only.' },
  { id: 'people', effect: 'ask', match: { server: 'new', tool: 'add' } },
]

function fileOf(name: string, content: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'beckon-servers-')), name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

let proxy: Running
let url: string
const clients = new Map<Era, Client>()
let opened: Promise<InboxPerson> | undefined

/** The inbox, by the link that came with the first ask. */
function inbox(): Promise<InboxPerson> {
  opened ??= proxy.written(/asks: Let "add" run\? Answer at (\S+)/).then(([, link = '']) => openInbox(link))
  return opened
}

beforeAll(async () => {
  const files = ['--config', fileOf('servers.json', { mcpServers }), '--rules', fileOf('rules.json', { rules })]
  proxy = startBeckon(['proxy', '--http', '0', ...files])
  url = (await proxy.written(/the proxy is at (\S+)/))[1] ?? ''
  for (const era of eras) {
    const client = newClient(era)
    await connectHttp(client, url)
    clients.set(era, client)
  }
}, patient)

afterAll(async () => {
  for (const client of clients.values()) await client.close()
  await proxy?.stop()
}, patient)

describe.each(eras)('several servers before a client of %s', era => {
  const client = () => clients.get(era) as Client
  const call = (name: string, args: Record<string, unknown> = {}) =>
    client().callTool({ name, arguments: args }, patience)

  it('have their tools and prompts under their names, and say that one of them is away', {
    timeout: patient,
  }, async () => {
    await proxy.written(/The server "gone" cannot be reached; the others go on/)
    const { tools } = await client().listTools()
    const own = tools.map(({ name }) => name).filter(name => !name.startsWith('all__'))
    expect(own).toEqual(['old__ask', 'old__add', 'old__more', 'new__ask', 'new__add', 'new__more'])
    const prompts = (await client().listPrompts()).prompts.map(({ name }) => name)
    expect(prompts).toEqual(expect.arrayContaining(['old__greet', 'new__greet']))
    const uris = (await client().listResources()).resources.map(({ uri }) => uri)
    expect(uris.filter(uri => uri.startsWith('raw:'))).toEqual(['raw://one', 'raw://one'])
    const { messages } = await client().getPrompt({ name: 'new__greet', arguments: { who: 'Ada' } })
    expect(messages[0]?.content).toMatchObject({ text: '{"who":"Ada"}' })
    expect((await client().readResource({ uri: 'raw://two' })).contents).toMatchObject([{ text: 'read raw://two' }])
    const completed = await client().complete({
      ref: { type: 'ref/prompt', name: 'old__greet' },
      argument: { name: 'who', value: 'A' },
    })
    expect(completed.completion.values).toEqual(['{"name":"who","value":"A"}'])
    await expect(call('other__add')).rejects.toThrow('"old__", "new__"')
    await expect(call('gone__add')).rejects.toThrow('"gone" is away')
  })

  it('get the calls that are for them, and rules know them by name', { timeout: patient }, async () => {
    expect((await call('old__add', { n: 4 })).structuredContent).toMatchObject({ args: { n: 4 } })
    const denied = await call('new__change')
    expect([denied.isError, textOf(denied)]).toEqual([true, expect.stringContaining('By hand only.')])
    expect((await call('old__change')).isError).not.toBe(true)
    const approved = call('new__add', { n: 5 })
    const person = await inbox()
    const asked = await person.answer('Let "add" run?', { action: 'accept', content: { n: 6 } })
    expect(asked).toMatchObject({ server: 'new', tool: 'add', arguments: { n: 5 } })
    expect((await approved).structuredContent).toMatchObject({ args: { n: 6 } })
  })

  it('ask in the inbox under their names', { timeout: patient }, async () => {
    const results = ['old', 'new'].map(server => call(`${server}__ask`, { n: 1 }))
    const person = await inbox()
    const seen = [
      await person.answer('Which colour?', { action: 'accept', content: { colour: 'blue' } }),
      await person.answer('Which colour?', { action: 'accept', content: { colour: 'blue' } }),
    ]
    expect(seen.map(({ server }) => server).sort()).toEqual(['new', 'old'])
    for (const result of results) expect(textOf(await result)).toContain('"colour":"blue"')
  })

  it('are cancelled and die each by itself', { timeout: patient }, async () => {
    const abort = new AbortController()
    const hanging = client().callTool({ name: 'old__hang' }, { ...patience, signal: abort.signal })
    const other = await call('old__add', { n: 1 })
    expect(other.structuredContent).toBeDefined()
    abort.abort()
    await expect(hanging).rejects.toThrow()
    await proxy.written(/the call was cancelled/)
    await expect(call('old__die')).rejects.toThrow()
    await proxy.written(/The server "old" has gone; the others go on/)
    expect((await client().getPrompt({ name: 'new__greet', arguments: { who: 'Bo' } })).messages).toHaveLength(1)
    // It is started again for whoever wants something of it.
    expect((await call('old__add', { n: 2 })).structuredContent).toMatchObject({ args: { n: 2 } })
  })
})

it('hears of changes where they happen', { timeout: patient }, async () => {
  const client = clients.get('2025') as Client
  const updated = new Promise<string>(resolve => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri))
  })
  await client.subscribeResource({ uri: 'raw://one' })
  expect(await updated).toBe('raw://one')
})

it.skipIf(!isThere)('has tasks looked after by the server that they are of', { timeout: patient }, async () => {
  const client = clients.get('2025') as Client
  const request = (method: string, params: Record<string, unknown>) =>
    client.request({ method, params }, anything, patience)
  const call = { name: 'all__simulate-research-query', arguments: { topic: 'tides' }, task: { ttl: 60_000 } }
  const { task } = await request('tools/call', call)
  const { taskId } = task as { taskId: string }
  expect(await request('tasks/get', { taskId })).toMatchObject({ taskId })
  expect(await request('tasks/list', {})).toMatchObject({ tasks: [{ taskId }] })
  expect(await request('tasks/cancel', { taskId })).toMatchObject({ taskId, status: 'cancelled' })
})

it.each([
  [['--config', 'nowhere.json'], 'nowhere.json'],
  [['--config', 'one.json', 'http://127.0.0.1:9/mcp'], 'name no other'],
  [['--config', fileOf('servers.json', { mcpServers: {} })], '1 to 50 servers'],
  [['--config', fileOf('servers.json', '{')], 'cannot be used'],
  [['--config', fileOf('servers.json', { mcpServers: { a__b: { command: 'x' } } })], 'never "__"'],
  [['--config', fileOf('servers.json', { mcpServers: { a: { command: 'x', url: 'http://x' } } })], '"a" has a command'],
])('says what is wrong with %j', async (options, expected) => {
  await expect(command.run(options)).rejects.toThrow(expected)
})

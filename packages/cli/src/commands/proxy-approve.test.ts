// The proxy as an approval gateway: official clients of both eras, who can ask and who cannot, before a published server that
// knows nothing of asking, and before one of our own that asks.
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { beckon, node, type Running, runBeckon, startBeckon } from '../../test/beckon.js'
import {
  type Asked,
  connectHttp,
  connectStdio,
  type Era,
  eras,
  newClient,
  patience,
  stderrOf,
  textOf,
} from '../../test/clients.js'
import { openInbox } from '../../test/inbox-person.js'

const peers = new URL('../../../../conformance/peers/node_modules/', import.meta.url)
const published = ['@modelcontextprotocol', 'server-everything', 'dist', 'index.js'].join('/')
const everything = process.env.BECKON_SERVER_EVERYTHING ?? fileURLToPath(new URL(published, peers))
const isThere = existsSync(everything)
if (!isThere) console.log('skipped: approvals before server-everything, which is not installed in conformance/peers')
const raw = (era: Era) => [...node, fileURLToPath(new URL('../../test/raw-server.ts', import.meta.url)), era]

const patient = 120_000
const clients: Client[] = []
const running: Running[] = []

afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()))
  await Promise.all(running.splice(0).map(proxy => proxy.stop()))
}, patient)

/** A client behind a proxy that has every call approved, and what opens its inbox. */
async function behind(client: Client, over: 'stdio' | 'http', server: readonly string[], options: string[] = []) {
  clients.push(client)
  let written: Running['written']
  if (over === 'http') {
    const proxy = startBeckon(['proxy', '--approve', '--http', '0', ...options, '--', ...server])
    running.push(proxy)
    await connectHttp(client, (await proxy.written(/the proxy is at (\S+)/))[1] ?? '')
    written = proxy.written
  } else {
    await connectStdio(client, beckon('proxy', '--approve', ...options, '--', ...server), { BECKON_BROWSER: 'none' })
    written = stderrOf(client)
  }
  return async () => openInbox((await written(/asks: Let .* Answer at (\S+)/))[1] ?? '')
}

const red = ({ message }: Asked) => {
  expect(message).toBe('Which colour?')
  return { action: 'accept' as const, content: { colour: 'red' } }
}

const ways = eras.flatMap(era => (['stdio', 'http'] as const).map(over => ({ era, over })))

describe.skipIf(!isThere).each(ways)('a server that never asks, $era over $over', ({ era, over }) => {
  it('runs what a person lets run, with the arguments that they changed', { timeout: patient }, async () => {
    const client = newClient(era)
    const inbox = await behind(client, over, [process.execPath, everything])
    const result = client.callTool({ name: 'get-sum', arguments: { a: 1, b: 2 } }, patience)
    const person = await inbox()
    const asked = await person.answer('Let "get-sum" run?', { action: 'accept', content: { a: 1, b: 40 } })
    expect(asked).toMatchObject({ tool: 'get-sum', arguments: { a: 1, b: 2 } })
    const { content } = await result
    expect(content).toMatchObject([
      { text: expect.stringContaining('{"a":1,"b":40}') },
      { text: expect.stringMatching(/41/) },
    ])

    const unchanged = client.callTool({ name: 'get-sum', arguments: { a: 1, b: 2 } }, patience)
    await person.answer('Let "get-sum" run?', { action: 'accept', content: { a: 1, b: 2 } })
    expect(textOf(await unchanged)).toMatch(/3/)
    expect((await unchanged).content).toHaveLength(1)
  })

  it('runs nothing that a person declines, and the model reads why', { timeout: patient }, async () => {
    const client = newClient(era)
    const inbox = await behind(client, over, [process.execPath, everything])
    const result = client.callTool({ name: 'echo', arguments: { message: 'hi' } }, patience)
    await (await inbox()).answer('Let "echo" run?', { action: 'decline', reason: 'Not on a Friday' })
    expect((await result).isError).toBe(true)
    expect(textOf(await result)).toMatch(/did not let "echo" run.*Not on a Friday/)
    expect(textOf(await result)).not.toContain('Echo')
  })
})

const pairs = eras.flatMap(era => eras.map(server => ({ era, server })))

describe.each(pairs)('a client of $era that can ask, before a server of $server', ({ era, server }) => {
  it('is asked itself what the tool asks, once the call was let run', { timeout: patient }, async () => {
    const client = newClient(era, red)
    const inbox = await behind(client, 'stdio', raw(server))
    const result = client.callTool({ name: 'ask', arguments: { n: 1 } }, patience)
    await (await inbox()).answer('Let "ask" run?', { action: 'accept', content: { n: 1 } })
    expect(textOf(await result)).toBe('{"action":"accept","content":{"colour":"red"}} raw-state')
  })
})

it.each(eras)('tells a model of %s to call again when the approver takes long', { timeout: patient }, async era => {
  const client = newClient(era)
  const inbox = await behind(client, 'stdio', raw(era), ['--wait', '0.2'])
  const call = () =>
    client.callTool({ name: 'add', arguments: { n: 4 } }, patience).then(result => JSON.stringify(result))
  expect(await call()).toContain('again with the same arguments')
  await (await inbox()).answer('Let "add" run?', { action: 'accept', content: { n: 4 } })
  let said = await call()
  while (said.includes('again with the same arguments')) said = await call()
  expect(said).toContain('"structuredContent"')
})

describe.each(eras)('with rules, %s', era => {
  const rules = [
    { id: 'small', effect: 'allow', match: { tool: 'add', destructive: true, arguments: { n: { max: 9 } } } },
    { id: 'never', effect: 'deny', match: { tool: 'change' }, reason: 'Lists are changed by hand.' },
  ]

  it('asks nobody where a rule decides, and a person where none does', { timeout: patient }, async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'beckon-rules-')), 'rules.json')
    writeFileSync(file, JSON.stringify({ rules }))
    const client = newClient(era)
    const inbox = await behind(client, 'stdio', raw(era), ['--rules', file])
    const call = (name: string, n?: number) => client.callTool({ name, arguments: { n } }, patience)
    expect((await call('add', 4)).structuredContent).toBeDefined()
    const denied = await call('change')
    expect([denied.isError, textOf(denied)]).toEqual([true, expect.stringContaining('Lists are changed by hand.')])
    const large = call('add', 10)
    await (await inbox()).answer('Let "add" run?', { action: 'accept', content: { n: 10 } })
    expect((await large).structuredContent).toBeDefined()
    expect((await large).content).toEqual((await call('add', 4)).content)
  })
})

it.each([
  [['--rules', 'nowhere.json'], 'nowhere.json'],
  [['--rules', 'rules.json', '--desk', 'https://a:b@desk.example'], '--approve'],
])('says what is wrong with %j', { timeout: patient }, async (options, words) => {
  const { code, stderr } = await runBeckon(['proxy', ...options, 'http://127.0.0.1:9/mcp'])
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
})

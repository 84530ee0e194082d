// `beckon gateway --desk`, end to end: an inbox and a gateway in processes of their own, an application, and a client that
// cannot ask.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ListeningApp } from '../../../gateway/test/raw-app.js'
import { beckon, startBeckon } from '../../test/beckon.js'
import { openInbox } from '../../test/inbox-person.js'

const patient = 120_000
const warehouse = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }

/** How a client reaches the gateway that has these arguments. */
const ways: Record<string, (args: string[]) => Promise<Transport>> = {
  async HTTP(args) {
    const gateway = startBeckon([...args, '--http', '0'])
    // It writes its claims to its home before it ends.
    onTestFinished(async () => void (await gateway.stop()))
    return new StreamableHTTPClientTransport(new URL((await gateway.written(/serving (\S+)/))[1] ?? ''))
  },
  async stdio(args) {
    const [command = '', ...rest] = beckon(...args)
    return new StdioClientTransport({ command, args: rest, stderr: 'ignore' })
  },
}

async function setUp(way: string) {
  const home = mkdtempSync(join(tmpdir(), 'beckon-cli-gateway-desk-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const inbox = startBeckon(['inbox', '--port', '0', '--store', 'memory', '--server', 'apps'])
  onTestFinished(() => void inbox.stop())
  const [, desk = ''] = await inbox.written(/For apps: +(\S+)/)
  const person = await openInbox((await inbox.written(/Inbox: +(\S+)/))[1] ?? '')
  const app = await new ListeningApp({
    name: 'The shop',
    id: 'shop',
    actions: [{ name: 'stock', run: async ({ ask }) => (await ask('Which warehouse?', warehouse)).result }],
  }).listenWs()
  onTestFinished(() => app.close())
  app.publish(home)
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(await (ways[way] as (typeof ways)[string])(['gateway', '--home', home, '--desk', desk]))
  onTestFinished(() => client.close())
  const call = async (name: string, args = {}): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: args }, { timeout: patient })
    const text = content.map(block => ('text' in block ? block.text : '')).join('')
    // As a model does that is told to, where this machine is slower than the gateway waits.
    return text.startsWith('A person was asked') ? call(name, args) : text
  }
  expect(await call('tesseron__claim_session', { code: app.code })).toContain('"app_id":"shop"')
  return { app, person, call }
}

describe.each(Object.keys(ways))('a gateway with a desk, over %s', way => {
  it('has people answer in the inbox, who see which application asks', { timeout: patient }, async () => {
    const { person, call } = await setUp(way)
    const called = call('shop__stock')
    const ask = await person.answer('Which warehouse?', { action: 'accept', content: { id: 'WH-7' } })
    expect(ask).toMatchObject({ server: 'apps', asker: 'The shop', tool: 'shop__stock' })
    expect(await called).toBe('{"action":"accept","value":{"id":"WH-7"}}')
    const declined = call('shop__stock')
    await person.answer('Which warehouse?', { action: 'decline' })
    expect(await declined).toBe('{"action":"decline"}')
  })

  it('withdraws the ask of an application that goes away', { timeout: patient }, async () => {
    const { app, person, call } = await setUp(way)
    const called = call('shop__stock')
    await person.sees('Which warehouse?')
    await app.close()
    expect(await called).toContain('The application went away')
    await person.seesNothing()
  })
})

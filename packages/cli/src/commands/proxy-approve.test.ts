// The proxy as an approval gateway: official clients of both eras, who can ask and who cannot, before a published server that
// knows nothing of asking, and before one of our own that asks.
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { rawServer } from '../../test/beckon.js'
import { type Asked, type Era, eras, newClient, patience, textOf } from '../../test/clients.js'
import { type Over, sharedProxies } from '../../test/shared-proxies.js'
import { command } from './proxy.js'

const peers = new URL('../../../../conformance/peers/node_modules/', import.meta.url)
const published = ['@modelcontextprotocol', 'server-everything', 'dist', 'index.js'].join('/')
const everything = process.env.BECKON_SERVER_EVERYTHING ?? fileURLToPath(new URL(published, peers))
const isThere = existsSync(everything)
if (!isThere) console.log('skipped: approvals before server-everything, which is not installed in conformance/peers')
const raw = (era: Era) => [...rawServer, era]

const patient = 120_000
const { connect, shared } = sharedProxies(patient)
const approving = (over: Over, server: readonly string[], options: string[] = []) => ({
  over,
  server,
  options: ['--approve', ...options],
})

const folder = mkdtempSync(join(tmpdir(), 'beckon-rules-'))

const red = ({ message }: Asked) => {
  expect(message).toBe('Which colour?')
  return { action: 'accept' as const, content: { colour: 'red' } }
}

const ways = eras.flatMap(era => (['stdio', 'http'] as const).map(over => ({ era, over })))

describe.skipIf(!isThere).each(ways)('a server that never asks, $era over $over', ({ era, over }) => {
  it('runs what a person lets run, with the arguments that they changed', { timeout: patient }, async () => {
    const { client, inbox } = await shared(era, approving(over, [process.execPath, everything]))
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
    const { client, inbox } = await shared(era, approving(over, [process.execPath, everything]))
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
    const { client, inbox } = await connect(newClient(era, red), approving('http', raw(server)))
    const result = client.callTool({ name: 'ask', arguments: { n: 1 } }, patience)
    await (await inbox()).answer('Let "ask" run?', { action: 'accept', content: { n: 1 } })
    expect(textOf(await result)).toBe('{"action":"accept","content":{"colour":"red"}} raw-state')
  })

  it.each(['add', 'ask'])(
    'has what was let run while nobody waited, once it calls "%s" again',
    { timeout: patient },
    async name => {
      const { client, inbox } = await connect(newClient(era, red), approving('http', raw(server), ['--wait', '0.2']))
      const given = { n: Number(`${era}${server}`) }
      const call = (args: Record<string, unknown>) => client.callTool({ name, arguments: args }, patience)
      const waiting = textOf(await call(given))
      expect(waiting).toContain('again with the same arguments')
      const person = await inbox()
      const approval = await person.answer(`Let "${name}" run?`, { action: 'accept', content: given })
      // It has run, and nobody has asked for it again. One that asks waits for its client.
      const report = async () => (await person.look(approval)).report
      if (name === 'add') await expect.poll(report, { timeout: patient }).toBeDefined()
      const handle = /"beckon": (\{.*?\})/.exec(waiting)?.[1]
      const { isError, structuredContent, content } = await call({
        ...given,
        ...(handle !== undefined && { beckon: JSON.parse(handle) }),
      })
      if (name === 'add') expect([isError, structuredContent]).toEqual([undefined, expect.anything()])
      else expect(content).toEqual([{ type: 'text', text: '{"action":"accept","content":{"colour":"red"}} raw-state' }])
    },
  )
})

it.each(ways)(
  'tells a model of $era to call again when the approver takes long, over $over',
  {
    timeout: patient,
  },
  async ({ era, over }) => {
    const { client, inbox } = await shared(era, approving(over, raw(era), ['--wait', '0.2']))
    // What a tool promises of its output, a client that has the list wants to see of every result that is not an error.
    await client.listTools({}, patience)
    const [first] = await Promise.all(
      ['add', 'change'].map(async name => {
        const { isError, content } = await client.callTool({ name, arguments: { n: 3 } }, patience)
        expect([name, isError, JSON.stringify(content)]).toEqual([
          name,
          name === 'add' ? true : undefined,
          expect.stringContaining('again with the same arguments'),
        ])
        return JSON.stringify(content)
      }),
    )
    const handle = /"beckon\\": (\{.*?\})/.exec(first ?? '')?.[1]?.replaceAll('\\', '')
    const args = { n: 3, ...(handle !== undefined && { beckon: JSON.parse(handle) }) }
    const call = () =>
      client.callTool({ name: 'add', arguments: args }, patience).then(result => JSON.stringify(result))
    await (await inbox()).answer('Let "add" run?', { action: 'accept', content: { n: 3 } })
    let said = await call()
    while (said.includes('again with the same arguments')) said = await call()
    expect(said).toContain('"structuredContent"')
  },
)

describe.each(eras)('with rules, %s', era => {
  const rules = [
    { id: 'small', effect: 'allow', match: { tool: 'add', destructive: true, arguments: { n: { max: 9 } } } },
    { id: 'never', effect: 'deny', match: { tool: 'change' }, reason: 'Lists are changed by hand.' },
  ]
  // One for both eras, and so one proxy.
  const file = join(folder, 'rules.json')
  writeFileSync(file, JSON.stringify({ rules }))

  it('asks nobody where a rule decides, and a person where none does', { timeout: patient }, async () => {
    const { client, inbox } = await shared(era, approving('http', raw('2025'), ['--rules', file]))
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
])('says what is wrong with %j', async (options, words) => {
  const failure = await command.run([...options, 'http://127.0.0.1:9/mcp']).catch(error => error)
  expect([failure.exitCode, failure.message]).toEqual([2, expect.stringContaining(words)])
})

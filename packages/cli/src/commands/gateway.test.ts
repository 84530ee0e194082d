import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beckon, startBeckon } from '../../test/beckon.js'
import { runHere } from '../../test/run-here.js'

const patient = 120_000
let home = ''

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'beckon-cli-gateway-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const metaTools = [
  'tesseron__claim_session',
  'tesseron__list_actions',
  'tesseron__invoke_action',
  'tesseron__read_resource',
  'tesseron__list_pending_claims',
]

const webSocketHeaders = { 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' }

async function toolsOver(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(transport)
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}

it('serves over HTTP on this machine, and takes applications on the same port', { timeout: patient }, async () => {
  const gateway = startBeckon(['gateway', '--http', '0', '--home', home])
  const [, url = ''] = await gateway.written(/serving (http:\/\/127\.0\.0\.1:\d+\/mcp)/)
  expect(await toolsOver(new StreamableHTTPClientTransport(new URL(url)))).toEqual(metaTools)
  const headers = { connection: 'Upgrade', upgrade: 'websocket', ...webSocketHeaders }
  const upgrade = request(new URL('/beckon/app', url), { headers }).end()
  const [response, socket] = await once(upgrade, 'upgrade')
  expect(response.statusCode).toBe(101)
  socket.destroy()
  expect(await gateway.stop()).toBe(0)
})

it('serves standard input and output by default', { timeout: patient }, async () => {
  const [program = '', ...args] = beckon('gateway', '--home', home)
  expect(await toolsOver(new StdioClientTransport({ command: program, args, stderr: 'ignore' }))).toEqual(metaTools)
})

it('serves both at once, and its client alone where another has the port', { timeout: patient }, async () => {
  const first = startBeckon(['gateway', '--http', '0', '--home', home])
  const { port } = new URL((await first.written(/serving (\S+)/))[1] ?? '')
  const saidOn = async (wanted: string) => {
    const [command = '', ...args] = beckon('gateway', '--stdio', '--http', wanted, '--home', home)
    const transport = new StdioClientTransport({ command, args, stderr: 'pipe' })
    const said = text(transport.stderr as Readable)
    expect(await toolsOver(transport)).toEqual(metaTools)
    return said
  }
  expect(await saidOn(port)).toContain(`Port ${port} is taken`)
  expect(await saidOn('0')).toContain('serving http://127.0.0.1:')
  expect(await first.stop()).toBe(0)
})

it('lists what runs, and what does not count', { timeout: patient }, async () => {
  const folder = join(home, '.tesseron', 'instances')
  expect(await runHere(['gateway', '--list', '--home', join(home, 'nowhere')])).toMatchObject({
    code: 0,
    stdout: 'No applications run.\n',
  })
  mkdirSync(folder, { recursive: true })
  const transport = { kind: 'ws', url: 'ws://127.0.0.1:4000/' }
  const manifest = { version: 2, instanceId: 'a', appName: 'Todos\u001b[2J', pid: process.pid, transport }
  writeFileSync(join(folder, 'a.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'b.json'), 'garbage')
  const { code, stdout } = await runHere(['gateway', '--list', '--home', home])
  expect(code).toBe(0)
  expect(stdout).toContain(`pending Todos`)
  expect(stdout).toContain(`ws://127.0.0.1:4000/ (process ${process.pid})`)
  expect(stdout).toContain('refused b.json')
  expect(stdout).not.toContain('\u001b')
})

it('says what is wrong with its options', { timeout: patient }, async () => {
  expect(await runHere(['gateway', '--http', 'x'])).toMatchObject({ code: 2 })
  expect(await runHere(['gateway', '--http', '0', '--desk', 'nowhere'])).toMatchObject({ code: 2 })
  expect(await runHere(['gateway', '--http', '0', '--origin', 'example'])).toMatchObject({ code: 2 })
})

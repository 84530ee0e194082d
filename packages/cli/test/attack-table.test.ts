// What others on this machine get of a proxy, for docs/security.md.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type Family, runAttacks } from '../../../test/attack-table.js'
import { rawServer, startBeckon } from './beckon.js'
import { connectHttp, newClient, patience, textOf } from './clients.js'
import { openInbox } from './inbox-person.js'

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A proxy over HTTP, and its address. */
async function startProxy(server: readonly string[], ...options: string[]) {
  const proxy = startBeckon(['proxy', '--http', '0', ...options, '--', ...server])
  onTestFinished(async () => void (await proxy.stop()))
  return { proxy, url: (await proxy.written(/the proxy is at (\S+)/))[1] ?? '' }
}

/** How many of the servers run that wrote their process id there. */
function runningIn(folder: string): number {
  return readdirSync(folder).filter(pid => {
    try {
      return process.kill(Number(pid), 0)
    } catch {
      return false
    }
  }).length
}

async function initialize(url: string): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  await response.text()
  return response.headers.get('mcp-session-id') ?? ''
}

/** What sends a message as it is, in a session of 2025, and gives back what came. */
function sender(url: string, session: string): (message: object) => Promise<string> {
  const accept = 'application/json, text/event-stream'
  return async message => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, 'mcp-session-id': session },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
    return response.text()
  }
}

const proxies: Family = {
  family: '`beckon proxy --http`',
  attacks: [
    {
      attack: 'another client of this machine, with the same `clientInfo`, calls the same after a person has said yes',
      async run() {
        const { proxy, url } = await startProxy([...rawServer, '2026'], '--wait', '1')
        const clients = await Promise.all([newClient('2026'), newClient('2026')].map(each => connectHttp(each, url)))
        onTestFinished(async () => void (await Promise.all(clients.map(each => each.close()))))
        const [first, other] = clients
        const call = async (client = first, more: object = {}) =>
          textOf((await client?.callTool({ name: 'ask', arguments: { n: 1, ...more } }, patience)) ?? { content: [] })
        const told = await call()
        const link = (await proxy.written(/raw asks: Which colour\? Answer at (\S+)/))[1] ?? ''
        const person = await openInbox(link)
        await person.answer('Which colour?', { action: 'accept', content: { colour: 'blue' } })
        const theirs = await call(other)
        if (theirs.includes('blue')) throw new Error(`It got: ${theirs}`)
        const [, handle] = /"handle":"([\w-]+)"/.exec(told) ?? []
        const mine = await call(first, { beckon: { handle } })
        if (!mine.includes('blue')) throw new Error(`Who asked did not get the result: ${mine}`)
        return 'a call of its own, for which a person is asked'
      },
    },
    {
      attack: '20 sessions are opened, and none is used',
      async run() {
        const folder = mkdtempSync(join(tmpdir(), 'beckon-proxy-'))
        onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
        const { url } = await startProxy([process.execPath, pathOf('tiny-server.mjs'), folder])
        const ids: string[] = []
        for (let i = 0; i < 20; i++) ids.push(await initialize(url))
        // Those that made way are about to end.
        while (runningIn(folder) > 16) await new Promise(resolve => setTimeout(resolve, 50))
        for (const id of ids) await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': id } })
        while (runningIn(folder) > 0) await new Promise(resolve => setTimeout(resolve, 50))
        return 'at most 16 processes of the server run, and each ends with its session'
      },
    },
  ],
}

const approvals: Family = {
  family: '`beckon proxy --approve`',
  attacks: [
    {
      attack: 'a client goes on with a state of its own making, as if its call had been let run',
      async run() {
        const { url } = await startProxy([...rawServer, '2026'], '--approve')
        const send = await plainClient(url)
        // The server behind would take it.
        const { error } = await send({ requestState: 'raw-state', inputResponses: {} })
        return `error ${error?.code}, ${error?.message}`
      },
    },
    {
      attack: 'a state of a call that was let run is sent twice, and by another client',
      async run() {
        const { proxy, url } = await startProxy([...rawServer, '2026'], '--approve')
        const [send, other] = [await plainClient(url, 'one'), await plainClient(url, 'two')]
        const begin = async () => {
          const asked = send({})
          const link = (await proxy.written(/asks: Let "ask" run\? Answer at (\S+)/))[1] ?? ''
          person ??= await openInbox(link)
          await person.answer('Let "ask" run?', { action: 'accept', content: { n: 1 } })
          const { requestState, inputRequests } = (await asked).result ?? {}
          const [key = ''] = Object.keys((inputRequests as object | undefined) ?? {})
          const answer = { action: 'accept', content: { colour: 'red' } }
          return { requestState, inputResponses: { [key]: answer } }
        }
        let person: Awaited<ReturnType<typeof openInbox>> | undefined
        const first = await begin()
        const done = await send(first)
        if (!JSON.stringify(done.result).includes('red')) throw new Error(`It did not go on: ${JSON.stringify(done)}`)
        const again = await send(first)
        const theirs = await other(await begin())
        return `runs once; then error ${again.error?.code}, and ${theirs.error?.code} for the other`
      },
    },
    {
      attack: 'a call is sent as a message that wants no answer, to a server that runs it all the same',
      async run() {
        const folder = mkdtempSync(join(tmpdir(), 'beckon-proxy-'))
        onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
        const { url } = await startProxy([process.execPath, pathOf('obedient-server.mjs'), folder], '--approve')
        const send = sender(url, await initialize(url))
        await send({ method: 'tools/call', params: { name: 'wipe', arguments: {} } })
        // What came before it has been there by the time of the answer.
        await send({ id: 2, method: 'tools/list' })
        if (readdirSync(folder).includes('ran')) throw new Error('It ran, and nobody was asked.')
        return 'it does not reach the server'
      },
    },
    {
      attack: 'a call has a list for arguments, where a rule allows the tool without any',
      async run() {
        const folder = mkdtempSync(join(tmpdir(), 'beckon-proxy-'))
        onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
        const rules = join(folder, 'rules.json')
        const match = { tool: 'wipe', destructive: true, exactArguments: {} }
        writeFileSync(rules, JSON.stringify({ rules: [{ id: 'none', effect: 'allow', match }] }))
        const server = [process.execPath, pathOf('obedient-server.mjs'), folder]
        const { url } = await startProxy(server, '--approve', '--rules', rules)
        const send = sender(url, await initialize(url))
        const call = (id: number, args: unknown) =>
          send({ id, method: 'tools/call', params: { name: 'wipe', arguments: args } })
        const listed = await call(2, ['everything'])
        if (readdirSync(folder).includes('ran')) throw new Error('It ran with what the rule did not see.')
        await call(3, {})
        if (!readdirSync(folder).includes('ran')) throw new Error('What the rule allows did not run.')
        const { code, message } = JSON.parse(/\{.*\}/.exec(listed)?.[0] ?? '{}').error
        return `error ${code}, ${message}`
      },
    },
  ],
}

interface Reply {
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string }
}

/** Calls the tool that asks with whatever it is told to send. */
async function plainClient(url: string, token?: string): Promise<(more: object) => Promise<Reply>> {
  const revision = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  return async more => {
    const params = { name: 'ask', arguments: { n: 1 }, ...more, _meta }
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        'mcp-method': 'tools/call',
        'mcp-name': 'ask',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    const text = await response.text()
    const [, data = text] = /^data: (.*)$/m.exec(text) ?? []
    return JSON.parse(data) as Reply
  }
}

runAttacks('packages/cli/test', [proxies, approvals])

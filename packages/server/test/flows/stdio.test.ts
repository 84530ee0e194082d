// A server in a process of its own, with the published client: its pages are on a port of this machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, describe, expect, it } from 'vitest'
import { programOf } from '../../../../test/programs/program.mjs'
import { Visitor } from './visitor.js'

const args = [await programOf(new URL('./stdio-server.ts', import.meta.url))]
const right = { 'field-username': 'ada', 'field-password': 'correct horse' }

/** A process takes its time on a busy machine. */
const patienceMs = 120_000

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const it of open.splice(0)) await it.close()
})

describe('a server on stdio', () => {
  it.each(['legacy', 'modern'] as const)(
    'has people of %s clients sign in on a page of its own',
    async era => {
      const client = new Client(
        { name: 'official', version: '1' },
        {
          capabilities: { elicitation: { url: {} } },
          versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
        },
      )
      open.push(client)
      const links: string[] = []
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        const url = params.mode === 'url' ? params.url : ''
        links.push(url)
        expect(await new Visitor().submit(url, right)).toMatchObject({ title: 'Done' })
        return { action: 'accept' }
      })
      await client.connect(new StdioClientTransport({ command: process.execPath, args }))
      expect((await client.callTool({ name: 'stock' })).content).toEqual([{ type: 'text', text: '{"id":"ada"}' }])
      expect((await client.callTool({ name: 'stock' })).content).toEqual([{ type: 'text', text: '{"id":"ada"}' }])
      expect(links).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/beckon\/go\/[\w-]+$/)])
    },
    patienceMs,
  )

  it(
    'ends with its client, although it listens',
    async () => {
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
      open.push({ close: () => child.kill() })
      const exited = once(child, 'exit')
      const link = await firstLink(child)
      expect((await new Visitor().get(link)).title).toBe('Sign in')
      child.stdin?.end()
      expect(await exited).toEqual([0, null])
    },
    patienceMs,
  )
})

/** Speaks 2026-07-28 to a process until it sends somebody to a page. */
async function firstLink(child: ChildProcess): Promise<string> {
  const meta = 'io.modelcontextprotocol/'
  const _meta = {
    [`${meta}protocolVersion`]: '2026-07-28',
    [`${meta}clientInfo`]: { name: 'raw', version: '1' },
    [`${meta}clientCapabilities`]: { elicitation: { url: {} } },
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'stock', _meta } }
  child.stdin?.write(`${JSON.stringify(call)}\n`)
  let said = ''
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk)
    const [link] = /http:\/\/127[^"]+/.exec(said) ?? []
    if (link !== undefined) return link
  }
  throw new Error(`No link came: ${said}`)
}

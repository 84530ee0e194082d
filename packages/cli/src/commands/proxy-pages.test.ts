// Published servers of 2025 that want a page visited before a call, and never tell that it was.
import { existsSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { newClient, patience, textOf } from '../../test/clients.js'
import { sharedProxies } from '../../test/shared-proxies.js'

const peers = fileURLToPath(
  new URL('../../../../conformance/peers/node_modules/@modelcontextprotocol/', import.meta.url),
)
const everything = join(peers, 'server-everything/dist/index.js')
const pageFirst = fileURLToPath(new URL('../../test/page-first-server.mjs', import.meta.url))
const isThere = existsSync(everything)
if (!isThere) console.log('skipped: pages before a call, since conformance/peers is not installed')

const patient = 120_000
const { connect } = sharedProxies(patient)

describe.skipIf(!isThere)('a call that a server of 2025 refuses until a page was visited', () => {
  it('is tried again as soon as the person agreed', { timeout: patient }, async () => {
    const server = [process.execPath, everything]
    const { client, inbox } = await connect(newClient('2025'), { over: 'stdio', server })
    const input = { url: 'https://example.com/flow', message: 'Go on there.', errorPath: true }
    const result = client.callTool({ name: 'trigger-url-elicitation', arguments: input }, patience)
    const person = await inbox()
    const first = await person.answer('Open this link', { action: 'accept' })
    expect(first.url).toBe('https://modelcontextprotocol.io')
    await person.answer('Go on there.', { action: 'accept' })
    expect(textOf(await result)).toContain('User completed the URL elicitation flow')
  })

  it('is tried now and again after that, and the model hears of it in time', { timeout: patient }, async () => {
    const visited = join(await mkdtemp(join(tmpdir(), 'beckon-page-')), 'visited')
    const server = [process.execPath, pageFirst, join(peers, 'sdk/dist/esm'), visited]
    const { client, inbox } = await connect(newClient('2025'), { over: 'stdio', server, options: ['--wait', '2'] })
    const call = () => client.callTool({ name: 'files' }, patience)
    const early = call()
    const person = await inbox()
    await person.answer('Sign in first.', { action: 'accept' })
    expect(textOf(await early)).toContain('is not done yet')
    await writeFile(visited, '')
    expect(textOf(await call())).toBe('notes.txt')
    await person.seesNothing()
  })
})

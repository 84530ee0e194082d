// The proxy before a published server that elicits: `@modelcontextprotocol/server-everything`, from the peers that the
// conformance tests install.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { eras, newClient, patience, textOf } from '../../test/clients.js'
import { sharedProxies } from '../../test/shared-proxies.js'
import { anything } from '../proxy/anything.js'

const peers = new URL('../../../../conformance/peers/node_modules/', import.meta.url)
const published = ['@modelcontextprotocol', 'server-everything', 'dist', 'index.js'].join('/')
const everything = process.env.BECKON_SERVER_EVERYTHING ?? fileURLToPath(new URL(published, peers))
const isThere = existsSync(everything)
if (!isThere) console.log('skipped: the proxy before server-everything, which is not installed in conformance/peers')

const server = [process.execPath, everything]
const patient = 120_000
const { connect, shared } = sharedProxies(patient)

const ways = eras.flatMap(era => (['stdio', 'http'] as const).map(over => ({ era, over })))

describe.skipIf(!isThere).each(ways)('server-everything behind the proxy, $era over $over', ({ era, over }) => {
  it('asks in the inbox for a client without elicitation', { timeout: patient }, async () => {
    const { client, written, inbox } = await shared(era, { over, server })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('trigger-elicitation-request')
    const result = client.callTool({ name: 'trigger-elicitation-request' }, patience)
    await written(/asks: Please provide inputs.* Answer at (\S+)/)
    const person = await inbox()
    const content = { name: 'Ada Lovelace', check: true, integer: 7, untitledSingleSelectEnum: 'Joey' }
    await person.answer('Please provide inputs', { action: 'accept', content })
    const text = textOf(await result)
    expect(text).toContain('Ada Lovelace')
    expect(text).toContain('"integer": 7')
  })

  it('passes other tools through', { timeout: patient }, async () => {
    const { client } = await shared(era, { over, server })
    expect(textOf(await client.callTool({ name: 'echo', arguments: { message: 'hi' } }, patience))).toBe('Echo: hi')
  })
})

it.skipIf(!isThere).each(['without', 'with'])(
  'passes the tasks of 2025-11-25 to a client %s elicitation',
  { timeout: patient },
  async elicitation => {
    const answer = () => ({ action: 'decline' as const })
    const { client } =
      elicitation === 'with'
        ? await connect(newClient('2025', answer), { over: 'http', server })
        : await shared('2025', { over: 'stdio', server })
    const request = (method: string, params: Record<string, unknown>) =>
      client.request({ method, params }, anything, patience)
    const call = { name: 'simulate-research-query', arguments: { topic: 'tides' }, task: { ttl: 60_000 } }
    const { task } = await request('tools/call', call)
    const { taskId } = task as { taskId: string }
    expect(await request('tasks/get', { taskId })).toMatchObject({ taskId })
    expect(await request('tasks/list', {})).toMatchObject({ tasks: [{ taskId }] })
    expect(await request('tasks/cancel', { taskId })).toMatchObject({ taskId, status: 'cancelled' })
  },
)

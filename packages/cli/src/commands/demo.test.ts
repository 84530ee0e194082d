import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, startBeckon } from '../../test/beckon.js'
import { connectHttp, eras, newClient, patience, textOf } from '../../test/clients.js'
import { type InboxPerson, openInbox } from '../../test/inbox-person.js'
import { runHere } from '../../test/run-here.js'

const patient = 120_000
let demo: Running
let url = ''
let person: InboxPerson

beforeAll(async () => {
  demo = startBeckon(['demo', '--port', '0', '--store', 'memory'])
  url = (await demo.written(/claude mcp add --transport http beckon (\S+)/))[1] ?? ''
  person = await openInbox((await demo.written(/Inbox:\s+(\S+)/))[1] ?? '')
}, patient)

afterAll(async () => {
  expect(await demo.stop()).toBe(0)
}, patient)

/** As long as a person takes at the very least. */
function readingTime(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 1_000))
}

/** Opens the page that a URL ask leads to, and signs. */
async function sign(page: string): Promise<void> {
  const origin = new URL(page).origin
  expect((await fetch(page)).status).toBe(200)
  expect((await fetch(page, { method: 'POST', headers: { origin: 'https://elsewhere.example' } })).status).toBe(405)
  expect((await fetch(page, { method: 'POST', headers: { origin } })).status).toBe(200)
}

describe.each(eras)('the example server with a client of %s', era => {
  it('asks a client that can be asked', { timeout: patient }, async () => {
    const asked: string[] = []
    const client = newClient(era, async ask => {
      asked.push(ask.message)
      if (ask.url !== undefined) await sign(ask.url)
      // The server is a process with a clock of its own, and takes nobody for a person who has not had time to read.
      await readingTime()
      if (ask.message.includes('Where')) {
        return { action: 'accept', content: { destination: 'Vienna', travellers: 3, by: 'train' } }
      }
      if (ask.message.includes('Remove') || ask.url !== undefined || ask.message.startsWith('One')) {
        return { action: 'accept', content: {} }
      }
      const [value = ''] = ['filter', 'a book', 'a moth', 'PDF'].filter((_, i) => ask.message.includes(words[i] ?? ''))
      return { action: 'accept', content: { value } }
    })
    const words = ['coffee', 'Ada', 'Grace', 'format']
    await connectHttp(client, url)
    const call = async (name: string) => textOf(await client.callTool({ name }, patience))
    expect(JSON.parse(await call('clear_completed'))).toEqual({ removed: 5 })
    expect(JSON.parse(await call('plan_trip'))).toMatchObject({ destination: 'Vienna', travellers: 3, by: 'train' })
    expect(await call('order_coffee')).toBe('One filter, coming up.')
    expect(await call('pick_gifts')).toBe('Ada gets a book, Grace gets a moth.')
    expect(await call('sign_terms')).toBe('The terms are signed.')
    expect(await call('build_report')).toBe('The report is there, as PDF.')
    expect(asked).toHaveLength(8)
    await client.close()
  })

  it('asks in the inbox where the client cannot', { timeout: patient }, async () => {
    const client = await connectHttp(newClient(era), url)
    const call = (name: string) => client.callTool({ name }, patience).then(textOf)
    const cleared = call('clear_completed')
    expect(await person.answer('Remove 5', { action: 'accept' })).toMatchObject({
      server: 'beckon-demo',
      tool: 'clear_completed',
    })
    expect(JSON.parse(await cleared)).toEqual({ removed: 5 })

    const trip = call('plan_trip')
    await person.answer('Where', { action: 'accept', content: { destination: 'Oslo', travellers: 1, by: 'ship' } })
    expect(JSON.parse(await trip)).toMatchObject({ destination: 'Oslo', by: 'ship' })

    const coffee = call('order_coffee')
    await person.answer('Which coffee', { action: 'accept', content: { value: 'espresso' } })
    await person.answer('One espresso', { action: 'decline' })
    expect(await coffee).toBe('Nothing ordered.')

    const gifts = call('pick_gifts')
    await person.answer('Grace', { action: 'accept', content: { value: 'a clock' } })
    await person.answer('Ada', { action: 'accept', content: { value: 'flowers' } })
    expect(await gifts).toBe('Ada gets flowers, Grace gets a clock.')

    const terms = call('sign_terms')
    const { url: page } = await person.answer('Read the terms', { action: 'accept' })
    await sign(String(page))
    expect(await terms).toBe('The terms are signed.')
    await client.close()
  })
})

it('asks whoever calls from a terminal', { timeout: patient }, async () => {
  expect(await runHere(['call', url, 'order_coffee'])).toMatchObject({ code: 3, stdout: 'No coffee today.\n' })
})

it('says nothing of a page that nobody was sent to', { timeout: patient }, async () => {
  const page = new URL('/demo/terms?id=made-up', url).href
  expect((await fetch(page, { method: 'POST', headers: { origin: new URL(url).origin } })).status).toBe(404)
})

it('does not listen where others could reach it', { timeout: patient }, async () => {
  for (const command of ['demo', 'inbox']) {
    const { code, stderr } = await runHere([command, '--port', '0', '--host', '0.0.0.0', '--store', 'memory'])
    expect(code).toBe(2)
    expect(stderr).toContain('reached from elsewhere')
  }
})

it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])(
  'answers no agent for another host: %s',
  { timeout: patient },
  async host => {
    const request = httpRequest(url, { method: 'POST', headers: { host, 'content-type': 'application/json' } })
    request.end('{}')
    const [response] = await once(request, 'response')
    response.resume()
    expect(response.statusCode).toBe(403)
  },
)

it('says when the port that was asked for is taken', { timeout: patient }, async () => {
  const { port } = new URL(url)
  const { code, stderr } = await runHere(['demo', '--port', port, '--store', 'memory'])
  expect(code).toBe(4)
  expect(stderr).toContain(`Port ${port} is taken`)
})

it('has what was asked still open after a restart', { timeout: patient }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-demo-'))
  const start = () => startBeckon(['demo', '--store', join(folder, 'state.db')], { PORT: '0' })
  const open = async (running: Running) => openInbox((await running.written(/Inbox:\s+(\S+)/))[1] ?? '')
  const first = start()
  const mcp = (await first.written(/claude mcp add --transport http beckon (\S+)/))[1] ?? ''
  const client = await connectHttp(newClient('2026'), mcp)
  const call = client.callTool({ name: 'clear_completed' }, patience).catch(() => 'broken off')
  const { id } = await (await open(first)).sees('Remove 5')
  // As Ctrl-C does it.
  first.child.kill('SIGINT')
  expect(await first.ended).toBe(0)
  await call
  await client.close()
  const second = start()
  const person = await open(second)
  expect(await person.answer('Remove 5', { action: 'accept' })).toMatchObject({ id, tool: 'clear_completed' })
  expect(await second.stop()).toBe(0)
  await rm(folder, { recursive: true })
})

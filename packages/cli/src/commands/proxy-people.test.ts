// People on a desk elsewhere, before servers behind a proxy: who answered and why gets to the tool, and a call that is cancelled
// while it waits for them asks nobody any more.
import { bearerAccess, createDesk, type Desk } from '@beckon/desk'
import { type NotifyChannel, notify } from '@beckon/desk/notify'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askingOnStdio, beckon, type Running, rawServer, startBeckon } from '../../test/beckon.js'
import { connectHttp, connectStdio, type Era, eras, newClient, patience, textOf } from '../../test/clients.js'

const patient = 120_000
const token = 'token-of-the-proxy-1'
const people = ['bo', 'root']
const asking = [...askingOnStdio]
const raw = [...rawServer, '2025']

let desk: Desk
let url: string
let address: string
const told: string[] = []
const chat: NotifyChannel = {
  name: 'chat',
  async send(_person, { message }) {
    told.push(message)
    return undefined
  },
  async withdraw() {
    told.push('withdrawn')
  },
}

beforeAll(async () => {
  const tokens = Object.fromEntries(people.map(name => [`token-of-${name}-12345678`, { principal: name }]))
  const rule = { id: 'bo', effect: 'ask', match: { tool: '*' }, audience: { principals: ['bo'] } } as const
  desk = createDesk({
    access: bearerAccess({ tokens }),
    roles: { admin: { principals: ['root'] } },
    rules: [rule],
    servers: { shop: token },
    notify: notify({ channels: [chat] }),
  })
  url = (await desk.listen()).url
  address = url.replace('http://', `http://shop:${token}@`)
  for (const name of people) await send(name, 'me')
}, patient)

afterAll(() => desk?.close(), patient)

async function send(who: string, path: string, body?: object) {
  const response = await fetch(`${url}api/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer token-of-${who}-12345678`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

const asks = async (): Promise<{ session: string; id: string; message: string }[]> =>
  (await send('bo', 'asks')).body.asks

/** The path of the one ask that there is. */
async function open(message: string): Promise<string> {
  await expect.poll(asks, { timeout: 15_000 }).toMatchObject([{ message }])
  const [ask] = await asks()
  return `asks/${[ask?.session, ask?.id].map(String).map(encodeURIComponent).join('/')}`
}

describe.each(eras)('a yes or no of a server behind a proxy, for a client of %s', era => {
  let proxy: Running
  let client: Client

  beforeAll(async () => {
    proxy = startBeckon(['proxy', '--http', '0', '--desk', address, '--', ...asking])
    client = await connectHttp(newClient(era), (await proxy.written(/the proxy is at (\S+)/))[1] ?? '')
  }, patient)
  afterAll(async () => {
    await client?.close()
    await proxy?.stop()
  }, patient)

  it('reaches the tool with who gave it, why not, and why nobody did', { timeout: patient }, async () => {
    const call = () => client.callTool({ name: 'outcome', arguments: {} }, patience).then(result => textOf(result))
    const by = [{ name: 'bo' }]
    const accepted = call()
    await send('bo', `${await open('Sure?')}/answer`, {})
    expect(JSON.parse(await accepted)).toEqual({ action: 'accept', by })
    const declined = call()
    await send('bo', `${await open('Sure?')}/decline`, { reason: 'Not on a Friday.' })
    expect(JSON.parse(await declined)).toEqual({ action: 'decline', reason: 'Not on a Friday.', by })
    const withdrawn = call()
    await send('root', `admin/${await open('Sure?')}/withdraw`, {})
    expect(JSON.parse(await withdrawn)).toEqual({ action: 'cancel', why: 'withdrawn' })
  })
})

const ways = eras.flatMap(era => (['stdio', 'http'] as const).map(over => ({ era, over })))

describe.each(ways)('a call of $era over $over that waits for an approval', ({ era, over }) => {
  it('asks nobody any more once it is cancelled, and does not run', { timeout: patient }, async () => {
    const { client, stop } = await behind(era, over, ['--approve', '--desk', address])
    try {
      told.length = 0
      const cancel = new AbortController()
      const result = client.callTool({ name: 'add', arguments: { n: 4 } }, { ...patience, signal: cancel.signal })
      const gone = expect(result).rejects.toThrow()
      const path = await open('Let "add" run?')
      await expect.poll(() => told, { timeout: 15_000 }).toEqual(['Let "add" run?'])
      cancel.abort(new Error('Enough.'))
      await gone
      await expect.poll(asks, { timeout: 15_000 }).toEqual([])
      await expect.poll(() => told, { timeout: 15_000 }).toEqual(['Let "add" run?', 'withdrawn'])
      expect((await send('bo', `${path}/answer`, { content: { n: 4 } })).status).toBe(409)
      const ended = (await send('bo', path)).body
      expect(ended).toMatchObject({ status: 'ended', ended: { event: 'withdrawn' } })
      // It never ran, so nothing came of it.
      expect(ended.report).toBeUndefined()
      // The same call again is a new one.
      const again = client.callTool({ name: 'add', arguments: { n: 4 } }, patience)
      expect((await send('bo', `${await open('Let "add" run?')}/answer`, { content: { n: 4 } })).status).toBe(200)
      expect((await again).structuredContent).toBeDefined()
    } finally {
      await stop()
    }
  })
})

it.each(eras)('a change that does not fit is told at its field, %s', { timeout: patient }, async era => {
  const { client, stop } = await behind(era, 'http', ['--approve', '--desk', address])
  try {
    const result = client.callTool({ name: 'add', arguments: { n: 4, more: [1] } }, patience)
    const wrong = { content: { n: 5, more: '[1' } }
    expect((await send('bo', `${await open('Let "add" run?')}/answer`, wrong)).status).toBe(200)
    const again = await open('Let "add" run?\n\nThe last answer did not fit. more: This is not JSON.')
    const { questions } = (await send('bo', again)).body
    const said = questions.map(({ id, message }: { id: string; message?: string }) => [id, message])
    expect(said).toEqual([
      ['n', expect.not.stringContaining('fit')],
      ['more', 'Does not fit: This is not JSON.\nAs JSON.'],
    ])
    expect((await send('bo', `${again}/answer`, { content: { n: 5, more: '[1]' } })).status).toBe(200)
    expect(textOf(await result)).toContain('{"n":5,"more":[1]}')
  } finally {
    await stop()
  }
})

async function behind(era: Era, over: 'stdio' | 'http', options: readonly string[]) {
  const client = newClient(era)
  if (over === 'stdio') {
    await connectStdio(client, beckon('proxy', ...options, '--', ...raw), { BECKON_BROWSER: 'none' })
    return { client, stop: () => client.close() }
  }
  const proxy = startBeckon(['proxy', '--http', '0', ...options, '--', ...raw])
  await connectHttp(client, (await proxy.written(/the proxy is at (\S+)/))[1] ?? '')
  return {
    client,
    async stop() {
      await client.close()
      await proxy.stop()
    },
  }
}

// A server's call whose ask takes a passkey, for clients that show forms by themselves: it is on the desk, and nowhere else.
import { createServer } from 'beckon'
import { passkeys } from 'beckon/passkeys'
import { createTestClient } from 'beckon/test'
import { afterEach, expect, it, vi } from 'vitest'
import { TestAuthenticator } from '../../../../test/authenticator.mjs'
import { freePort } from '../../test/free-port.js'
import { type Access, createDesk } from '../index.js'

vi.setConfig({ testTimeout: 60_000 })

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const asSaid: Access = {
  loopbackOnly: true,
  async authenticate({ header }) {
    const principal = /\bBearer (\w+)/.exec(header('authorization') ?? '')?.[1]
    return principal ? { principal, device: 'test' } : undefined
  },
  async handle() {
    return undefined
  },
}

type Options = { challenge: string; rp: { id?: string } }

async function start(isRemote: boolean) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const token = 'the-token-of-the-bank'
  const desk = createDesk({ access: asSaid, publicUrl: url, passkeys: passkeys(), servers: { bank: token } })
  await desk.listen({ port })
  closing.push(() => desk.close())
  const server = createServer({
    name: 'bank',
    version: '1.0.0',
    desk: isRemote ? `http://bank:${token}@127.0.0.1:${port}` : desk,
    wait: 'hold',
  })
  server.tool('pay', { person: 'verified', task: 'optional' }, async (_input, ctx) =>
    ctx.json(await ctx.confirm.outcome('Pay 5?')),
  )
  closing.push(() => server.close())
  const post = async (path: string, body: object = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer ana', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const list = async () => {
    const headers = { authorization: 'Bearer ana' }
    const response = await fetch(`http://127.0.0.1:${port}/api/asks`, { headers })
    return ((await response.json()) as { asks: { session: string; id: string; person?: string }[] }).asks
  }
  return { server, post, list, url }
}

it.each([
  ['push', false],
  ['rounds', false],
  ['tasks', false],
  ['rounds', true],
] as const)('is confirmed on the desk, called on %s (the desk elsewhere: %s)', async (wire, isRemote) => {
  const { server, post, list, url } = await start(isRemote)
  const device = new TestAuthenticator(url)
  const { body: options } = await post('/api/passkeys/options')
  await post('/api/passkeys', { create: device.create(options.create as Options) })
  let shown = 0
  const client = createTestClient(server, {
    wire,
    principal: 'ana',
    answer() {
      shown++
      return 'accept'
    },
  })
  closing.push(() => client.close())
  const result = client.callTool('pay')
  await vi.waitFor(async () => expect(await list()).toHaveLength(1), { timeout: 30_000 })
  const [ask] = await list()
  expect(ask).toMatchObject({ person: 'verified' })
  const at = `/api/asks/${ask?.session}/${ask?.id}`
  expect(await post(`${at}/answer`)).toMatchObject({ status: 403, body: { code: 'passkey-required' } })
  const { body: challenge } = await post(`${at}/challenge`)
  const passkey = device.get(challenge.get as Options)
  expect(await post(`${at}/answer`, { passkey })).toMatchObject({ status: 200 })
  const { structuredContent, _meta } = await result
  const { receipt, ...outcome } = structuredContent as { receipt: string }
  expect(outcome).toEqual({ action: 'accept', by: [{ principal: 'ana' }] })
  expect(receipt).toMatch(/^ey/)
  expect(_meta).toEqual({ 'beckon/receipts': [receipt] })
  expect(shown).toBe(0)
})

it('does not count from a desk that has taken a click for it', async () => {
  const careless = createDesk()
  closing.push(() => careless.close())
  const desk: typeof careless = {
    ...careless,
    async open(_subject, { id }) {
      return {
        id,
        link: 'http://127.0.0.1/',
        outcome: async () => ({ action: 'accept', content: {} }),
        async withdraw() {},
      }
    },
  }
  const server = createServer({ name: 'bank', version: '1.0.0', desk, wait: 'hold' })
  server.tool('pay', { person: 'verified' }, async (_input, ctx) => ctx.json(await ctx.confirm.outcome('Pay 5?')))
  closing.push(() => server.close())
  const client = createTestClient(server, { answer: () => 'accept' })
  closing.push(() => client.close())
  expect((await client.callTool('pay')).structuredContent).toEqual({ action: 'cancel', why: 'no-capability' })
})

import { memoryStore } from 'beckon'
import { passkeys } from 'beckon/passkeys'
import { receipts, verifyReceipt } from 'beckon/receipts'
import { createTestClock } from 'beckon/test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestAuthenticator } from '../../../../test/authenticator.mjs'
import { freePort } from '../../test/free-port.js'
import { LiveClient } from '../../test/live-client.js'
import { type Access, createDesk, type DeskOptions } from '../index.js'

// A busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 })

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Whoever a request says it is from, it is from. */
const asSaid: Access = {
  loopbackOnly: true,
  async authenticate({ header, query }) {
    const principal = /\bBearer (\w+)/.exec(header('authorization') ?? '')?.[1] ?? new URLSearchParams(query).get('as')
    return principal ? { principal, device: 'test' } : undefined
  },
  async handle() {
    return undefined
  },
}

type Body = Record<string, unknown>

async function startDesk(options: DeskOptions = { passkeys: passkeys() }) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const clock = createTestClock(Date.now())
  const store = memoryStore({ clock })
  const desk = createDesk({
    access: asSaid,
    publicUrl: url,
    roles: { admin: { principals: ['root'] } },
    clock,
    store,
    ...options,
  })
  await desk.listen({ port, host: '127.0.0.1' })
  closing.push(() => desk.close())
  const send = async (as: string, method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Body }
  }
  const post = (as: string, path: string, body: object = {}) => send(as, 'POST', path, body)
  const session = await desk.session('s', { server: 'shop', audience: 'anyone' })
  const turn = await session.startTurn()
  return { desk, url, port, clock, send, post, turn }
}

type Served = Awaited<ReturnType<typeof startDesk>>

/** Someone makes a passkey. */
async function enrol({ post, url }: Served, as: string): Promise<TestAuthenticator> {
  const device = new TestAuthenticator(url)
  const { body: options } = await post(as, '/api/passkeys/options')
  const create = device.create(options.create as Parameters<TestAuthenticator['create']>[0])
  expect(await post(as, '/api/passkeys', { create, name: 'Laptop' })).toMatchObject({ status: 201 })
  return device
}

/** What an authenticator says to what the desk wants confirmed. */
async function confirm({ post }: Served, as: string, device: TestAuthenticator, ask = 'pay', content: object = {}) {
  const { status, body } = await post(as, `/api/asks/s/${ask}/challenge`, { content })
  expect(status).toBe(200)
  return device.get(body.get as Parameters<TestAuthenticator['get']>[0])
}

/** An ask that takes a passkey, once it is open. */
async function open(served: Served, { id = 'pay', ...options }: { id?: string; quorum?: number; receipt?: true } = {}) {
  const amount = { id: 'amount', kind: 'number', message: 'Amount', required: true } as const
  const outcome = served.turn.ask({ id, message: 'Pay ben?', questions: [amount] }, { person: 'verified', ...options })
  await until(async () => expect((await served.send('ana', 'GET', `/api/asks/s/${id}`)).status).toBe(200))
  return { outcome }
}

/** A busy machine takes its time. */
function until(look: () => Promise<void>): Promise<void> {
  return vi.waitFor(look, { timeout: 30_000 })
}

const five = { amount: 5 }
const answer = '/api/asks/s/pay/answer'

describe('an ask that takes a passkey', () => {
  it('is accepted with one, and what was confirmed is signed for whoever has the published keys', async () => {
    const served = await startDesk()
    const { desk, post, send, url } = served
    const device = await enrol(served, 'ana')
    const { outcome } = await open(served)
    expect((await send('ana', 'GET', '/api/asks/s/pay')).body).toMatchObject({ person: 'verified' })
    const passkey = await confirm(served, 'ana', device, 'pay', five)
    expect(await post('ana', answer, { content: five, passkey })).toMatchObject({ status: 200 })
    const { receipt = '', ...rest } = await outcome
    expect(rest).toEqual({ action: 'accept', content: five, by: [{ principal: 'ana' }] })
    // Whoever checks it is not signed in.
    const jwks = await (await fetch(`${url}/beckon/receipts/jwks.json`)).json()
    expect(await verifyReceipt(receipt, jwks)).toMatchObject({
      isValid: true,
      receipt: {
        iss: url,
        server: 'shop',
        action: 'accept',
        by: [{ principal: 'ana', method: 'passkey' }],
        where: 'desk',
      },
    })
    expect(await desk.audit.query({ request: 'pay' })).toContainEqual(
      expect.objectContaining({ event: 'accepted', receipt }),
    )
  })

  it('is accepted by no click: not by REST, and in neither dialect', async () => {
    const served = await startDesk()
    await enrol(served, 'ana')
    const { outcome } = await open(served)
    expect(await served.post('ana', answer, { content: five })).toMatchObject({
      status: 403,
      body: { code: 'passkey-required' },
    })
    for (const dialect of ['0.3', '1.0'] as const) {
      const options = { dialect, clientId: dialect, now: () => served.clock.now() }
      const client = new LiveClient({ url: `ws://127.0.0.1:${served.port}/live?as=ana`, ...options })
      await client.dial()
      await client.initialize()
      await client.subscribe()
      const answers = { amount: { state: 'submitted', value: { kind: 'number', value: 5 } } }
      for (const more of [{}, { passkey: {} }, { passkey: 'yes' }, { method: 'passkey' }, { receipt: 'x' }])
        client.dispatch({ type: 'inputCompleted', requestId: 'pay', response: 'accept', answers, ...more })
      await client.ping()
      expect(client.rejections.map(({ rejectionCode }) => rejectionCode)).toEqual([
        'passkey-required',
        'passkey-invalid',
        'passkey-invalid',
        'passkey-required',
        'passkey-required',
      ])
      client.socket?.close()
    }
    expect((await served.send('ana', 'GET', '/api/asks/s/pay')).body).toMatchObject({ status: 'open' })
    // To say no takes none; it is signed as what it is.
    expect(await served.post('ana', '/api/asks/s/pay/decline', { reason: 'Too much.' })).toMatchObject({ status: 200 })
    expect(await outcome).toMatchObject({ action: 'decline', reason: 'Too much.', receipt: expect.any(String) })
  })

  it('is accepted over the live protocol with a passkey, in both dialects', async () => {
    const served = await startDesk()
    const device = await enrol(served, 'ana')
    for (const dialect of ['0.3', '1.0'] as const) {
      const { outcome } = await open(served, { id: `pay-${dialect}` })
      const passkey = await confirm(served, 'ana', device, `pay-${dialect}`, five)
      const options = { dialect, clientId: dialect, now: () => served.clock.now() }
      const client = new LiveClient({ url: `ws://127.0.0.1:${served.port}/live?as=ana`, ...options })
      await client.dial()
      await client.initialize()
      const state = await client.subscribe()
      expect(JSON.stringify(state)).toContain('"beckon/person":"verified"')
      const answers = { amount: { state: 'submitted', value: { kind: 'number', value: 5 } } }
      const requestId = `pay-${dialect}`
      client.dispatch({ type: 'inputCompleted', requestId, response: 'accept', answers, passkey })
      expect(await outcome).toMatchObject({ action: 'accept', content: five })
      client.socket?.close()
    }
  })

  it('takes no passkey twice, for another ask, for a changed amount, or of somebody else', async () => {
    const served = await startDesk()
    const { post } = served
    const [ana, ben] = [await enrol(served, 'ana'), await enrol(served, 'ben')]
    await open(served)
    await open(served, { id: 'other' })
    const isRefused = async (as: string, path: string, body: object) =>
      expect(await post(as, path, body)).toMatchObject({ status: 403, body: { code: 'passkey-invalid' } })
    await isRefused('ana', answer, {
      content: { amount: 500 },
      passkey: await confirm(served, 'ana', ana, 'pay', five),
    })
    const forOther = await confirm(served, 'ana', ana, 'other', five)
    await isRefused('ana', answer, { content: five, passkey: forOther })
    // It is used up, also for what it was for.
    await isRefused('ana', '/api/asks/s/other/answer', { content: five, passkey: forOther })
    await isRefused('ana', answer, { content: five, passkey: await confirm(served, 'ben', ben, 'pay', five) })
    await isRefused('ben', answer, { content: five, passkey: await confirm(served, 'ana', ana, 'pay', five) })
    const once = await confirm(served, 'ana', ana, 'other', five)
    expect(await post('ana', '/api/asks/s/other/answer', { content: five, passkey: once })).toMatchObject({
      status: 200,
    })
    await isRefused('ana', answer, { content: five, passkey: once })
  })

  it('is not accepted with what somebody else has drafted since it was confirmed', async () => {
    const served = await startDesk()
    const device = await enrol(served, 'ana')
    const note = { id: 'note', kind: 'text', message: 'Note' } as const
    void served.turn.ask({ id: 'pay', message: 'Pay ben?', questions: [note] }, { person: 'verified' }).catch(() => {})
    await until(async () => expect((await served.send('ana', 'GET', '/api/asks/s/pay')).status).toBe(200))
    const passkey = await confirm(served, 'ana', device)
    const draft = { state: 'submitted', value: 'and 500 to cem' }
    expect((await served.send('ben', 'PUT', '/api/asks/s/pay/drafts/note', draft)).status).toBe(200)
    expect(await served.post('ana', answer, { passkey })).toMatchObject({
      status: 403,
      body: { code: 'passkey-invalid' },
    })
  })

  it('names everyone who confirmed, where several have to', async () => {
    const served = await startDesk()
    const { outcome } = await open(served, { quorum: 2 })
    for (const [as, status] of [
      ['ana', 202],
      ['ben', 200],
    ] as const) {
      const device = await enrol(served, as)
      const passkey = await confirm(served, as, device, 'pay', five)
      expect(await served.post(as, answer, { content: five, passkey })).toMatchObject({ status })
    }
    const { receipt = '' } = await outcome
    const jwks = await (await fetch(`${served.url}/beckon/receipts/jwks.json`)).json()
    expect(await verifyReceipt(receipt, jwks)).toMatchObject({
      receipt: {
        by: [
          { principal: 'ana', method: 'passkey' },
          { principal: 'ben', method: 'passkey' },
        ],
      },
    })
  })

  it('is refused where there are no passkeys, and never becomes one that a click accepts', async () => {
    const { desk, turn } = await startDesk({})
    await expect(turn.ask({ question: 'Pay?' }, { person: 'verified' })).rejects.toThrow('This desk has no passkeys.')
    const policy = { person: 'verified' } as const
    const opening = desk.open(
      { server: 'shop' },
      { id: 'a', message: 'Pay?' },
      { policy, expiresAt: Date.now() + 1_000 },
    )
    await expect(opening).rejects.toThrow('This desk has no passkeys.')
  })

  it('has a desk say at once that browsers have no passkeys at its address', async () => {
    const desk = createDesk({ access: asSaid, passkeys: passkeys() })
    closing.push(() => desk.close())
    await expect(desk.listen()).rejects.toThrow('Browsers have no passkeys at 127.0.0.1')
  })
})

describe('the passkeys of people', () => {
  it('are their own to see, to add to and to remove', async () => {
    const served = await startDesk()
    const { post, send } = served
    const device = await enrol(served, 'ana')
    expect((await send('ana', 'GET', '/api/passkeys')).body).toMatchObject({
      passkeys: [{ id: device.id, name: 'Laptop' }],
    })
    expect((await send('ben', 'GET', '/api/passkeys')).body).toMatchObject({ passkeys: [] })
    expect(await post('ben', `/api/passkeys/${device.id}/remove`, {})).toMatchObject({ status: 403 })
    const { body } = await post('ana', `/api/passkeys/${device.id}/options`)
    const get = device.get(body.get as Parameters<TestAuthenticator['get']>[0])
    expect(await post('ana', `/api/passkeys/${device.id}/remove`, { get })).toMatchObject({ status: 200 })
    expect((await send('ana', 'GET', '/api/passkeys')).body).toMatchObject({ passkeys: [] })
  })

  it('are removed by an admin for whoever lost theirs, and by nobody else, and the audit has it', async () => {
    const served = await startDesk()
    const { send, desk } = served
    await enrol(served, 'ana')
    for (const as of ['ana', 'ben'])
      for (const method of ['GET', 'DELETE'])
        expect(await send(as, method, '/api/people/ana/passkeys')).toMatchObject({ status: 403 })
    expect((await send('root', 'GET', '/api/people/ana/passkeys')).body).toMatchObject({
      passkeys: [{ name: 'Laptop' }],
    })
    expect(await send('root', 'DELETE', '/api/people/ana/passkeys')).toEqual({ status: 200, body: { removed: 1 } })
    expect((await send('ana', 'GET', '/api/passkeys')).body).toMatchObject({ passkeys: [] })
    expect(await desk.audit.query({})).toMatchObject([
      { event: 'passkey-added', person: 'ana', by: { principal: 'ana' } },
      { event: 'passkeys-removed', person: 'ana', by: { principal: 'root' }, reason: 'removed 1' },
    ])
    // Who it was done to is told, and nobody else.
    const audited = async (as: string) => ((await send(as, 'GET', '/api/audit')).body.entries as Body[]).length
    expect([await audited('root'), await audited('ana'), await audited('ben')]).toEqual([2, 2, 0])
    await enrol(served, 'ana')
  })

  it('are of people whom the desk can tell apart', async () => {
    const { post, send } = await startDesk()
    expect(await post('local', '/api/passkeys/options')).toMatchObject({
      status: 403,
      body: { code: 'person-unknown' },
    })
    expect(await send('local', 'GET', '/api/passkeys')).toMatchObject({ status: 403 })
  })
})

describe('a desk that signs everything', () => {
  it('says that a click was a click', async () => {
    const { turn, post, url, send } = await startDesk({ receipts: receipts() })
    const outcome = turn.ask({ id: 'go', question: 'Go?' })
    await until(async () => expect((await send('ana', 'GET', '/api/asks/s/go')).status).toBe(200))
    expect(await post('ana', '/api/asks/s/go/answer')).toMatchObject({ status: 200 })
    const { receipt = '' } = await outcome
    const jwks = await (await fetch(`${url}/beckon/receipts/jwks.json`)).json()
    expect(await verifyReceipt(receipt, jwks)).toMatchObject({
      receipt: { by: [{ principal: 'ana', method: 'click' }] },
    })
  })

  it('signs nothing that nobody answered, and nothing where it was not told to', async () => {
    const signing = await startDesk({ receipts: receipts() })
    const withdrawn = signing.turn.ask({ question: 'Go?' }, { signal: AbortSignal.abort() })
    expect(await withdrawn).toEqual({ action: 'cancel', why: 'withdrawn' })
    const plain = await startDesk({ passkeys: passkeys() })
    const outcome = plain.turn.ask({ id: 'go', question: 'Go?' })
    await until(async () => expect((await plain.send('ana', 'GET', '/api/asks/s/go')).status).toBe(200))
    await plain.post('ana', '/api/asks/s/go/answer')
    expect(await outcome).toEqual({ action: 'accept', content: {}, by: [{ principal: 'ana' }] })
  })
})

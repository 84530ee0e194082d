// Someone who is on the desk, and whom a session does not concern: it is not there for them, whatever they try.
import { dialects } from '@beckon/core/live'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { type Served, serveLive } from '../../test/live-served.js'
import { serveRest } from '../../test/serve-rest.js'
import { seesAll } from '../policy/audience.js'
import { createRest } from '../rest/index.js'
import { openSession } from '../turns/desk-session.js'
import { openOnDesk } from '../turns/open-ask.js'

let desk: Served
let closeRest: () => Promise<void>
let restUrl: string

beforeEach(async () => {
  desk = await serveLive()
  const rest = createRest({ ...desk.parts, mayAudit: seesAll })
  const { url, close } = await serveRest(rest)
  restUrl = url
  closeRest = async () => {
    rest.close()
    await close()
  }
})

afterEach(async () => {
  await closeRest()
  await desk.close()
})

/** A call of Ada's that asks her something. */
async function openCall() {
  const expiresAt = desk.clock.now() + 60_000
  const subject = { server: 'bank', call: 'c', tool: 'pay', principal: 'ada' }
  return openOnDesk(desk.parts.turns, [subject, { id: '1', message: 'Pay 100?' }, { expiresAt }], {
    linkTo: id => id,
    identifiesPeople: true,
  })
}

/** A session that a program made, which asks Ada alone. */
async function openSessionFor() {
  const session = await openSession(desk.parts.turns, { id: 'payroll', title: 'Payroll', server: 'bank' })
  const turn = await session.startTurn('go')
  turn.ask({ id: '1', message: 'Pay 100?' }, { audience: { principals: ['ada'] } }).catch(() => {})
  await expect.poll(async () => (await desk.read('payroll'))?.open.size).toBe(1)
}

const get = async (path: string, as: string, role?: string) => {
  const headers = { authorization: `Bearer ${as}`, ...(role && { 'x-role': role }) }
  const response = await fetch(`${restUrl}${path}`, { headers })
  return { status: response.status, text: await response.text() }
}

/** Everything that changes a session, on the channel of its turns. */
const changes = (turn: string | undefined) => [
  { type: 'turnCancelled', turnId: turn },
  { type: 'truncated' },
  { type: 'turnStarted', turnId: 'mine', message: { text: 'mine', origin: { kind: 'user' } } },
  { type: 'inputCompleted', requestId: 'c.1', response: 'accept' },
  { type: 'inputCompleted', requestId: '1', response: 'accept' },
]

const chatOf = ({ prefix }: LiveClient, id: string) => `${prefix === 'session' ? 'ahp-session' : 'ahp-chat'}:/${id}`

describe.each(dialects)('in the %s dialect', dialect => {
  it.each([
    ['a call', 'call-c', openCall],
    ['a session of a program', 'payroll', openSessionFor],
  ])('%s is not there for someone whom it does not ask', async (_what, id, open) => {
    const mallory = await desk.connect(dialect, { as: 'mallory' })
    await mallory.request('subscribe', { channel: 'ahp-root://' })
    await open()
    const before = await desk.read(id)
    const { items } = (await mallory.request('listSessions', { channel: 'ahp-root://' })) as { items: object[] }
    expect(items).toEqual([])
    for (const channel of [chatOf(mallory, id), `ahp-session:/${id}`])
      expect([-32001, -32008]).toContain((await mallory.failure('subscribe', { channel })).code)
    // An action on a channel that is not there is ignored, as the protocol says.
    for (const action of changes(before?.activeTurn?.id)) mallory.dispatch(action, chatOf(mallory, id))
    mallory.dispatch({ type: 'session/titleChanged', title: 'Mine' }, `ahp-session:/${id}`)
    await mallory.ping()
    expect(await mallory.failure('disposeSession', { channel: `ahp-session:/${id}` })).toMatchObject({ code: -32001 })
    expect(await desk.read(id)).toEqual(before)
    // Nothing that it was told names it.
    await mallory.ping()
    expect(JSON.stringify(mallory.envelopes)).not.toMatch(/Pay|bank|payroll|call-c/)
  })

  it('a session that a person made is theirs alone', async () => {
    const [ada, mallory] = [await desk.connect(dialect, { as: 'ada' }), await desk.connect(dialect, { as: 'mallory' })]
    await ada.request('createSession', { channel: 'ahp-session:/mine', provider: 'shop' })
    expect(await mallory.failure('subscribe', { channel: 'ahp-session:/mine' })).toMatchObject({ code: -32001 })
    expect(await mallory.failure('disposeSession', { channel: 'ahp-session:/mine' })).toMatchObject({ code: -32001 })
    const list = async (client: LiveClient) =>
      ((await client.request('listSessions', { channel: 'ahp-root://' })) as { items: object[] }).items.length
    expect([await list(ada), await list(mallory)]).toEqual([1, 0])
    expect(await ada.request('disposeSession', { channel: 'ahp-session:/mine' })).toBeNull()
  })

  it('an auditor sees everything, and changes and answers nothing', async () => {
    const ask = await openCall()
    const before = await desk.read('call-c')
    const auditor = await desk.connect(dialect, { as: 'ines', role: 'auditor' })
    expect(JSON.stringify(await auditor.subscribe(chatOf(auditor, 'call-c')))).toContain('Pay 100?')
    for (const action of changes(before?.activeTurn?.id))
      expect(await auditor.reasonFor(action, chatOf(auditor, 'call-c'))).toBeTruthy()
    expect(await auditor.failure('disposeSession', { channel: 'ahp-session:/call-c' })).toMatchObject({ code: -32009 })
    expect(await auditor.failure('createSession', { channel: 'ahp-session:/new' })).toMatchObject({ code: -32009 })
    expect(await desk.read('call-c')).toEqual(before)
    await ask.withdraw()
  })

  it('an admin ends what is going on, and answers for nobody', async () => {
    const ask = await openCall()
    const admin = await desk.connect(dialect, { as: 'root', role: 'admin' })
    const channel = chatOf(admin, 'call-c')
    await admin.subscribe(channel)
    const accept = { type: 'inputCompleted', requestId: 'c.1', response: 'accept' }
    expect(await admin.reasonFor(accept, channel)).toContain('not change or answer')
    const { activeTurn } = (await desk.read('call-c')) ?? {}
    expect(await admin.reasonFor({ type: 'turnCancelled', turnId: activeTurn?.id }, channel)).toBeUndefined()
    expect(await ask.outcome()).toEqual({ action: 'cancel', why: 'withdrawn' })
  })
})

it('shows nobody else anything over REST', async () => {
  await openCall()
  await openSessionFor()
  const paths = ['/api/asks', '/api/sessions', '/api/audit', '/api/asks/call-c/c.1', '/api/asks/payroll/1']
  for (const path of paths) expect((await get(path, 'mallory')).text).not.toMatch(/Pay|payroll|bank|"call-c"/)
  expect((await get('/api/asks/call-c/c.1', 'ada')).status).toBe(200)
  expect((await get('/api/asks/call-c/c.1', 'ines', 'auditor')).status).toBe(200)
  expect((await get('/api/audit', 'ines', 'auditor')).text).toContain('call-c')
  expect((await get('/api/sessions', 'ines', 'auditor')).text).toContain('payroll')
})

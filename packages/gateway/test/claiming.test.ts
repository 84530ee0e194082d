import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeClock } from '../../server/test/fake-clock.js'
import { connectApp, ListeningApp } from './raw-app.js'
import { agentOn, claimedApp, listeningApp, startGateway, temporaryHome } from './setup.js'

const work = { name: 'work', run: () => 'done' }
const wrong = 'failed: No application waits with that code. It may have expired: ask the person for the one shown now.'
const lockedOut = 'failed: Too many wrong codes. Wait a minute, and ask the person for the code that is shown now.'

describe('a claim code', () => {
  it('is taken however a person writes it', async () => {
    const { url, home } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await listeningApp(home, { actions: [work] })
    app.code = 'QR3X-7K'
    app.publish(home)
    expect(await agent.call('tesseron__claim_session', { code: ' qr3x7k ' })).toContain('"app_id":"todo"')
    expect(await agent.call('todo__work')).toBe('done')
  })

  it.each(['', 'AB3X', 'AB3X-7K-99', 'a'.repeat(1000), 'ÄÖ3X-7K'])('that is none is said to be: %j', async code => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    expect(await agent.call('tesseron__claim_session', { code })).toMatch(/^failed: That is not a claim code/)
  })

  it('is locked after five guesses in a minute, even the right one, and opened again by time', async () => {
    const clock = new FakeClock()
    const { url, home } = await startGateway({ server: { clock } })
    const agent = await agentOn(url, '2026-07-28')
    const app = await listeningApp(home, { actions: [work] })
    for (const last of '23456')
      expect(await agent.call('tesseron__claim_session', { code: `ZZZZ-Z${last}` })).toBe(wrong)
    expect(await agent.call('tesseron__claim_session', { code: app.code })).toBe(lockedOut)
    expect(app.offered).toEqual([])
    clock.advance(60_000)
    expect(await agent.call('tesseron__claim_session', { code: app.code })).toContain('"app_id":"todo"')
  })

  it('of an expired manifest counts for nothing', async () => {
    const { url, home } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await listeningApp(home, { actions: [work] })
    const manifest = app.manifest()
    app.publish(home, { ...manifest, hostMintedClaim: { ...(manifest.hostMintedClaim as object), expiresAt: 1 } })
    expect(await agent.call('tesseron__claim_session', { code: app.code })).toBe(wrong)
  })

  it('is spent by the claim', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await connectApp(url, { actions: [work] })
    onTestFinished(() => app.hangUp())
    const { result } = await app.hello()
    expect(result?.claimCode).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{2}$/)
    await agent.call('tesseron__claim_session', { code: result?.claimCode })
    expect(await agent.call('tesseron__claim_session', { code: result?.claimCode })).toBe(wrong)
  })

  it('is never told to a model', async () => {
    const { url, home } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const listening = await listeningApp(home, { name: 'Listening', actions: [work] })
    const app = await connectApp(url, { name: 'Connected', actions: [work] })
    onTestFinished(() => app.hangUp())
    const { result } = await app.hello()
    const pending = await agent.call('tesseron__list_pending_claims')
    expect(JSON.parse(pending)).toEqual({ pending: [{ app_id: 'todo', name: 'Connected' }, { name: 'Listening' }] })
    for (const code of [listening.code, String(result?.claimCode)]) expect(pending).not.toContain(code)
  })
})

describe('a Unix socket', () => {
  it('is bound by its first message', async () => {
    const { url, home } = await startGateway()
    const agent = await agentOn(url, '2026-07-28', { answer: () => ({ action: 'accept', content: {} }) })
    const actions = [
      {
        name: 'confirm',
        run: async ({ ask }: { ask: (q: string) => Promise<{ result?: unknown }> }) => (await ask('Sure?')).result,
      },
    ]
    const app = await new ListeningApp({ actions }).listenUds(`${temporaryHome()}/s`)
    onTestFinished(() => app.close())
    app.publish(home)
    expect(await agent.call('tesseron__claim_session', { code: app.code })).toContain('"app_id":"todo"')
    expect(await agent.call('todo__confirm')).toBe('{"action":"accept"}')
  })

  it('that refuses the code ends the claim with its reason', async () => {
    const { url, home } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await new ListeningApp({}).listenUds(`${temporaryHome()}/s`)
    onTestFinished(() => app.close())
    app.publish(home)
    const published = app.code
    app.code = 'OTHE-R2'
    expect(await agent.call('tesseron__claim_session', { code: published })).toBe(
      'failed: "Todos" could not be claimed: Wrong code.',
    )
  })
})

describe('an application', () => {
  it('that has no code of its own is dialled at once, and given one', async () => {
    const { url, home } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await new ListeningApp({ actions: [work] }).listenWs({ mints: false })
    onTestFinished(() => app.close())
    const { helloHandledByHost: _, hostMintedClaim: __, ...older } = app.manifest()
    app.publish(home, older)
    const connection = await app.connection()
    const { result } = await connection.frames.when(frame => frame.result?.claimCode !== undefined)
    expect(result).toMatchObject({ agent: { id: 'pending' }, protocolVersion: '1.2.0' })
    expect(app.offered).toEqual(['tesseron-gateway'])
    expect(await agent.call('tesseron__claim_session', { code: result?.claimCode })).toContain('"app_id":"todo"')
    expect((await connection.when('tesseron/claimed')).params).toMatchObject({ agent: { name: 'agent' } })
    expect(await agent.call('todo__work')).toBe('done')
  })

  it('that nobody has claimed can prompt no one, and offers nothing', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28', { answer: () => ({ action: 'accept' }) })
    const app = await connectApp(url, { actions: [work] })
    onTestFinished(() => app.hangUp())
    await app.hello()
    const asked = await app.request('elicitation/request', {
      invocationId: 'inv-1',
      question: 'Sure?',
      schema: { type: 'object', properties: {} },
    })
    const sampled = await app.request('sampling/request', { invocationId: 'inv-1', prompt: 'Say something.' })
    expect([asked.error?.code, sampled.error?.code]).toEqual([-32009, -32009])
    expect(await agent.toolNames()).not.toContain('todo__work')
    expect(await agent.call('tesseron__invoke_action', { app_id: 'todo', action: 'work' })).toMatch(
      /^failed: No application "todo" is claimed/,
    )
    expect(agent.asked.all).toEqual([])
  })

  it('makes way for a newer one of the same id, and the claim says so', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const older = await claimedApp(url, agent, { name: 'Older', actions: [{ name: 'which', run: () => '0.3' }] })
    expect(await agent.call('todo__which')).toBe('0.3')
    const newer = await connectApp(url, { name: 'Newer', actions: [{ name: 'which', run: () => 'newer' }] })
    onTestFinished(() => newer.hangUp())
    const { result } = await newer.hello()
    const claimed = JSON.parse(await agent.call('tesseron__claim_session', { code: result?.claimCode }))
    expect(claimed.replaced).toBe('Older had the id "todo" before, and is not connected to this gateway any more.')
    expect(await agent.call('todo__which')).toBe('newer')
    expect(await older.closed).toBe('4001')
  })

  it('that another gateway holds is refused to this one, and both work', async () => {
    const { url, home } = await startGateway()
    const other = await startGateway({ home })
    const agent = await agentOn(url, '2026-07-28')
    const late = await agentOn(other.url, '2026-07-28')
    const app = await listeningApp(home, { actions: [work] })
    const notes = await listeningApp(home, { id: 'notes', name: 'Notes', actions: [work] })
    notes.code = 'CD4Y-8M'
    notes.publish(home)
    await agent.call('tesseron__claim_session', { code: app.code })
    expect(await late.call('tesseron__claim_session', { code: app.code })).toBe(
      'failed: "Todos" could not be claimed: another gateway holds it.',
    )
    expect(await late.call('tesseron__claim_session', { code: notes.code })).toContain('"app_id":"notes"')
    expect([await agent.call('todo__work'), await late.call('notes__work')]).toEqual(['done', 'done'])
  })
})

describe('with people told apart', () => {
  const server = {
    identify: (request: Request) => request.headers.get('authorization')?.replace('Bearer ', ''),
  }

  it('an application is the principal’s who claimed it: listed to no one else, and called by no one else', async () => {
    const { url } = await startGateway({ server })
    const ada = await agentFor(url, 'ada')
    const bob = await agentFor(url, 'bob')
    await claimedApp(url, ada, { actions: [work] })
    expect(await ada.toolNames()).toContain('todo__work')
    expect(await bob.toolNames()).not.toContain('todo__work')
    expect(await ada.call('todo__work')).toBe('done')
    const refused = /^failed: No application "todo" is claimed/
    expect(await bob.call('todo__work')).toMatch(refused)
    expect(await bob.call('tesseron__invoke_action', { app_id: 'todo', action: 'work' })).toMatch(refused)
    expect(await bob.call('tesseron__read_resource', { app_id: 'todo', name: 'x' })).toMatch(refused)
    expect(await bob.call('tesseron__list_actions')).toBe('{"apps":[]}')
  })

  it('two may have applications of the same id, each their own', async () => {
    const { url } = await startGateway({ server })
    const ada = await agentFor(url, 'ada')
    const bob = await agentFor(url, 'bob')
    const outputSchema = { type: 'object', properties: { of: { const: 'ada' } } }
    await claimedApp(url, ada, { actions: [{ name: 'whose', outputSchema, run: () => ({ of: 'ada' }) }] })
    await claimedApp(url, bob, { actions: [{ name: 'whose', run: () => ({ of: 'bob' }) }] })
    expect(await ada.call('todo__whose')).toBe('{"of":"ada"}')
    expect(await bob.call('todo__whose')).toBe('{"of":"bob"}')
  })

  it('one who guesses locks out no one else', async () => {
    const { url, home } = await startGateway({ server })
    const ada = await agentFor(url, 'ada')
    const bob = await agentFor(url, 'bob')
    const app = await listeningApp(home, { actions: [work] })
    for (const last of '23456') await bob.call('tesseron__claim_session', { code: `ZZZZ-Z${last}` })
    expect(await bob.call('tesseron__claim_session', { code: app.code })).toBe(lockedOut)
    expect(await ada.call('tesseron__claim_session', { code: app.code })).toContain('"app_id":"todo"')
  })

  const agentFor = (url: string, token: string) => agentOn(url, '2026-07-28', { name: token, token })
})

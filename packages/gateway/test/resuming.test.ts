import { createHash } from 'node:crypto'
import { memoryStore } from 'beckon'
import { type JsonValue, type Store, sealedStore } from 'beckon/store'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Answer } from './clients.js'
import { type ActionStub, connectApp, ListeningApp, type RawApp } from './raw-app.js'
import { agentOn, claimedApp, listeningApp, startGateway, temporaryHome } from './setup.js'

const confirming: ActionStub = {
  name: 'confirm',
  run: async ({ ask }) => (await ask('Sure?')).result,
}
const options = { actions: [confirming] }
const accept: Answer = () => ({ action: 'accept', content: {} })
const accepted = '{"action":"accept"}'

async function comeBack(url: string, more: Parameters<typeof connectApp>[2] = {}): Promise<RawApp> {
  const app = await connectApp(url, options, more)
  onTestFinished(() => app.hangUp())
  return app
}

/** The claims that a store has, sealed with the same keys for another place. */
async function sealedElsewhere(store: Store): Promise<JsonValue | undefined> {
  const opened = sealedStore(store)
  const claims = (await opened.get('gateway/claims'))?.value
  await opened.set('elsewhere', claims ?? null)
  await opened.close()
  expect(claims).toMatchObject({ d: [{}] })
  return (await store.get('elsewhere'))?.value
}

/** What an application keeps of its last welcome. */
function kept(app: RawApp): [string, string] {
  const welcome = app.frames.all.findLast(frame => frame.result?.resumeToken !== undefined)?.result
  return [String(welcome?.sessionId), String(welcome?.resumeToken)]
}

describe.each(['2025-11-25', '2026-07-28'] as const)('an application that resumes, with a client of %s', era => {
  it('keeps its claim and its capabilities', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, era, { answer: accept })
    const app = await claimedApp(url, agent, options)
    app.hangUp()
    const back = await comeBack(url)
    const { result } = await back.resume(...kept(app))
    expect(result).toMatchObject({
      sessionId: kept(app)[0],
      agent: { id: 'agent' },
      capabilities: { elicitation: true },
    })
    expect(result).not.toHaveProperty('claimCode')
    expect(result?.resumeToken).not.toBe(kept(app)[1])
    expect((await back.when('tesseron/claimed')).params).toMatchObject({ agentCapabilities: { elicitation: true } })
    expect(await agent.toolNames()).toContain('todo__confirm')
    expect(await agent.call('todo__confirm')).toBe(accepted)
  })

  it('is welcomed before anything is asked of it, however long that takes to be kept', async () => {
    const inner = memoryStore()
    let keep: (() => void) | undefined
    let isSlow = false
    const store = {
      ...inner,
      async compareAndSet(...args: Parameters<typeof inner.compareAndSet>) {
        if (isSlow)
          await new Promise<void>(resolve => {
            keep = resolve
          })
        return inner.compareAndSet(...args)
      },
    }
    const { url } = await startGateway({ server: { store } })
    const agent = await agentOn(url, era, { answer: accept })
    const app = await claimedApp(url, agent, options)
    app.hangUp()
    isSlow = true
    const back = await comeBack(url)
    const resumed = back.resume(...kept(app))
    while (keep === undefined) await agent.call('tesseron__list_actions')
    expect(await agent.call('todo__confirm')).toMatch(/^failed: "Todos" is not connected/)
    isSlow = false
    keep()
    await resumed
    expect(await agent.call('todo__confirm')).toBe(accepted)
    expect(back.frames.all.map(({ method }) => method).slice(0, 3)).toEqual([
      undefined,
      'tesseron/claimed',
      'actions/invoke',
    ])
  })

  it('in the middle of an ask ends that call at once, and takes the next', async () => {
    const { url } = await startGateway()
    const replies: (() => void)[] = []
    const agent = await agentOn(url, era, {
      answer: () => new Promise(resolve => replies.push(() => resolve({ action: 'accept', content: {} }))),
    })
    const app = await claimedApp(url, agent, options)
    const called = agent.call('todo__confirm')
    await agent.asked.when(() => true)
    const back = await comeBack(url)
    await back.resume(...kept(app))
    expect(await app.closed).toBe('4001')
    if (era === '2026-07-28') replies[0]?.()
    expect(await called).toMatch(/^failed: "Todos" did not finish: The application went away \(replaced\)/)
    const next = agent.call('todo__confirm')
    await agent.asked.when(() => agent.asked.all.length === 2)
    replies[1]?.()
    expect(await next).toBe(accepted)
  })
})

describe('a resume token', () => {
  it('is good once', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await claimedApp(url, agent, options)
    const first = kept(app)
    const back = await comeBack(url)
    await back.resume(...first)
    // Anything after the reply shows that it has arrived.
    await back.when('tesseron/claimed')
    await agent.call('tesseron__list_actions')
    const again = await comeBack(url)
    expect((await again.resume(...first)).error?.code).toBe(-32011)
    expect((await again.resume(...kept(back))).result?.sessionId).toBe(first[0])
  })

  it('is not lost with a reply that never arrived', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28', { answer: accept })
    const app = await claimedApp(url, agent, options)
    app.hangUp()
    // One that is gone before it could answer a ping.
    const lost = await comeBack(url, { autoPong: false })
    await lost.resume(...kept(app))
    lost.hangUp()
    const back = await comeBack(url)
    expect((await back.resume(...kept(app))).result?.sessionId).toBe(kept(app)[0])
    await back.when('tesseron/claimed')
    expect(await agent.call('todo__confirm')).toBe(accepted)
  })

  it('that is wrong, of another application, or of a session nobody claimed is -32011; hello is still taken', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await claimedApp(url, agent, options)
    const [sessionId, token] = kept(app)
    const unclaimed = await comeBack(url)
    await unclaimed.hello()
    const back = await comeBack(url)
    const other = await connectApp(url, { id: 'other' })
    onTestFinished(() => other.hangUp())
    const replies = [
      await back.resume(sessionId, 'wrong'),
      await back.resume('s_unknown', token),
      await back.resume(...kept(unclaimed)),
      await back.request('tesseron/resume', back.helloParams()),
      await other.resume(sessionId, token),
    ]
    expect(replies.map(({ error }) => error?.code)).toEqual([-32011, -32011, -32011, -32011, -32011])
    expect((await back.hello()).result?.claimCode).toEqual(expect.any(String))
  })
})

describe('a resume', () => {
  it.each([
    { app: undefined },
    { actions: undefined },
    { resources: 7 },
    { sessionId: 7 },
    { resumeToken: undefined },
    { resumeToken: '' },
  ])('with %o is -32011, and leaves the claim and the token as they were', async wrong => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await claimedApp(url, agent, options)
    const [sessionId, resumeToken] = kept(app)
    app.hangUp()
    const back = await comeBack(url)
    const params = { ...back.helloParams(), sessionId, resumeToken, ...wrong }
    expect((await back.request('tesseron/resume', params)).error?.code).toBe(-32011)
    expect((await back.resume(sessionId, resumeToken)).result?.sessionId).toBe(sessionId)
  })

  it('of another major is -32000, and closed', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await claimedApp(url, agent, options)
    const [sessionId, resumeToken] = kept(app)
    const back = await comeBack(url)
    const params = { ...back.helloParams(), protocolVersion: '2.0.0', sessionId, resumeToken }
    expect((await back.request('tesseron/resume', params)).error?.code).toBe(-32000)
    expect(await back.closed).toBe('1008')
    expect(await agent.toolNames()).toContain('todo__confirm')
  })
})

describe('a gateway that restarts', () => {
  it('has its claims in the home, not its tokens', async () => {
    const home = temporaryHome()
    const first = await startGateway({ home })
    const app = await claimedApp(first.url, await agentOn(first.url, '2026-07-28'), options)
    await first.gateway.close()
    expect(await app.closed).toBe('1001')
    const second = await startGateway({ home })
    expect(await second.gateway.apps()).toMatchObject([{ id: 'todo', name: 'Todos', status: 'away' }])
    const back = await comeBack(second.url)
    await back.resume(...kept(app))
    const agent = await agentOn(second.url, '2026-07-28', { answer: accept })
    await back.when('tesseron/claimed')
    expect(await agent.call('todo__confirm')).toBe(accepted)
    expect(await second.gateway.apps()).toMatchObject([{ status: 'connected', actions: ['confirm'] }])
  })

  it('has them in the store, where it was given one', async () => {
    const inner = memoryStore()
    const store = { ...inner, close: async () => {} }
    const first = await startGateway({ server: { store } })
    const app = await claimedApp(first.url, await agentOn(first.url, '2026-07-28'), options)
    await first.gateway.close()
    const second = await startGateway({ server: { store } })
    const back = await comeBack(second.url)
    expect((await back.resume(...kept(app))).result?.sessionId).toBe(kept(app)[0])
    expect(JSON.stringify(await inner.get('gateway/claims'))).not.toContain(kept(app)[1])
  })

  it('has them sealed in a store that others share, and takes none that someone else put there', async () => {
    const inner = memoryStore()
    const store = { ...inner, shared: true, close: async () => {} }
    const first = await startGateway({ server: { store } })
    const agent = await agentOn(first.url, '2026-07-28')
    const app = await claimedApp(first.url, agent, options)
    await first.gateway.close()
    const sealed = (await inner.get('gateway/claims'))?.value
    expect(sealed).toEqual(expect.any(String))
    expect(JSON.stringify(sealed)).not.toMatch(/todo|agent/i)
    const moved = await sealedElsewhere(store)
    const [sessionId] = kept(app)
    const forged = { sessionId, appId: 'todo', appName: 'Todos', owner: null, claimedAt: 0 }
    const tokenHash = createHash('sha256').update('known').digest('base64url')
    await inner.set('gateway/claims', [{ ...forged, tokenHash, agent: {}, capabilities: {} }])
    const second = await startGateway({ server: { store } })
    expect(await second.gateway.apps()).toEqual([])
    const liar = await comeBack(second.url)
    expect((await liar.resume(sessionId, 'known')).error?.code).toBe(-32011)
    expect(second.logs.join()).toContain('Claims will not survive a restart')
    await second.gateway.close()
    // What was sealed for another name is no claim either.
    await inner.set('gateway/claims', moved ?? null)
    const third = await startGateway({ server: { store } })
    expect(await third.gateway.apps()).toEqual([])
    await third.gateway.close()
    await inner.set('gateway/claims', sealed ?? null)
    const fourth = await startGateway({ server: { store } })
    expect(await fourth.gateway.apps()).toMatchObject([{ id: 'todo', status: 'away' }])
    const back = await comeBack(fourth.url)
    expect((await back.resume(...kept(app))).result?.sessionId).toBe(sessionId)
  })

  it('shares them with another gateway on the same store', async () => {
    const store = { ...memoryStore(), close: async () => {} }
    const first = await startGateway({ server: { store } })
    const second = await startGateway({ server: { store } })
    const app = await claimedApp(first.url, await agentOn(first.url, '2026-07-28'), options)
    app.hangUp()
    const back = await comeBack(second.url)
    expect((await back.resume(...kept(app))).result?.sessionId).toBe(kept(app)[0])
    const again = await comeBack(second.url)
    expect((await again.resume(...kept(back))).result?.sessionId).toBe(kept(app)[0])
    const replayed = await comeBack(first.url)
    expect((await replayed.resume(...kept(app))).error?.code).toBe(-32011)
  })

  it('dials an application that listens by itself, and nobody has to claim it again', async () => {
    const home = temporaryHome()
    const first = await startGateway({ home })
    const app = await listeningApp(home, options)
    await (await agentOn(first.url, '2026-07-28')).call('tesseron__claim_session', { code: app.code })
    await first.gateway.close()
    const second = await startGateway({ home })
    const connection = await app.connection(1)
    await connection.when('tesseron/claimed')
    const agent = await agentOn(second.url, '2026-07-28', { answer: accept })
    expect(await agent.call('todo__confirm')).toBe(accepted)
  })
})

describe('an application that listens', () => {
  it('keeps its claim over a restart of its own', async () => {
    const { url, home } = await startGateway()
    const agent = await agentOn(url, '2026-07-28', { answer: accept })
    const app = await listeningApp(home, options)
    await agent.call('tesseron__claim_session', { code: app.code })
    await app.close()
    const back = await new ListeningApp(options).listenWs()
    onTestFinished(() => back.close())
    back.code = 'NEWC-2D'
    const claim = {
      ...(back.manifest().hostMintedClaim as object),
      sessionId: app.sessionId,
      resumeToken: app.resumeToken,
    }
    back.publish(home, { ...back.manifest(), hostMintedClaim: { ...claim, boundAgent: { id: 'agent' } } })
    await (await back.connection()).when('tesseron/claimed')
    expect(back.offered).toEqual(['tesseron-gateway,tesseron-bind.NEWC-2D'])
    expect(await agent.call('todo__confirm')).toBe(accepted)
  })

  it('is not dialled when it only claims to be one that is known', async () => {
    const { url, home, gateway } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await listeningApp(home, options)
    await agent.call('tesseron__claim_session', { code: app.code })
    await app.close()
    const liar = await new ListeningApp(options).listenWs()
    onTestFinished(() => liar.close())
    const claim = { ...(liar.manifest().hostMintedClaim as object), sessionId: app.sessionId }
    liar.publish(home, { ...liar.manifest(), hostMintedClaim: claim })
    await gateway.apps()
    expect(await agent.call('todo__confirm')).toMatch(/^failed: "Todos" is not connected/)
    expect(liar.offered).toEqual([])
  })
})

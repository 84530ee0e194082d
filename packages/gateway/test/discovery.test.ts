import { chownSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeClock } from '../../server/test/fake-clock.js'
import { ListeningApp, writeInstance } from './raw-app.js'
import { agentOn, listeningApp, startGateway, temporaryHome } from './setup.js'

const work = { name: 'work', run: () => 'done' }
/** No process has this id: it is above every limit. */
const nobody = 2 ** 30

/** The manifest of an application that is dialled as soon as it is found. */
function withoutCode(app: ListeningApp): object {
  return { ...app.manifest(), helloHandledByHost: false, hostMintedClaim: undefined }
}

describe('a manifest', () => {
  it('that is written while the gateway runs is found, and one that is taken away is gone', async () => {
    const { home, gateway } = await startGateway()
    expect(await gateway.apps()).toEqual([])
    const app = await new ListeningApp({ name: 'Late' }).listenWs()
    onTestFinished(() => app.close())
    const remove = app.publish(home)
    expect(await gateway.apps()).toMatchObject([{ name: 'Late', status: 'pending' }])
    remove()
    expect(await gateway.apps()).toEqual([])
  })

  it('is found by watching the folder, without anyone who asks for it', async () => {
    const home = temporaryHome()
    mkdirSync(join(home, '.tesseron', 'instances'), { recursive: true })
    const { gateway } = await startGateway({ home, pollMs: 24 * 60 * 60_000 })
    // Once it has looked it watches.
    await gateway.apps()
    const app = await new ListeningApp({}).listenWs({ mints: false })
    onTestFinished(() => app.close())
    app.publish(home, withoutCode(app))
    await app.connection()
  })

  it('is found by looking again, where there was nothing to watch', async () => {
    const clock = new FakeClock()
    const home = temporaryHome()
    const { gateway } = await startGateway({ home, pollMs: 60_000, server: { clock } })
    expect(await gateway.apps()).toEqual([])
    const app = await new ListeningApp({}).listenWs({ mints: false })
    onTestFinished(() => app.close())
    app.publish(home, withoutCode(app))
    clock.advance(60_000)
    await app.connection()
  })

  it('of a process that is no more is removed', async () => {
    const { home, gateway } = await startGateway()
    const app = await new ListeningApp({}).listenWs()
    onTestFinished(() => app.close())
    app.publish(home, { ...app.manifest(), pid: nobody })
    const path = join(home, '.tesseron', 'instances', `${app.instanceId}.json`)
    expect(existsSync(path)).toBe(true)
    expect(await gateway.apps()).toEqual([])
    expect(existsSync(path)).toBe(false)
  })

  it.each([
    [
      'points off this machine',
      { transport: { kind: 'ws', url: 'ws://192.0.2.7:80/' } },
      'not a ws: address of this machine',
    ],
    [
      'points at a name that only begins like ours',
      { transport: { kind: 'ws', url: 'ws://localhost.evil.example/' } },
      'not a ws:',
    ],
    ['has a user in its URL', { transport: { kind: 'ws', url: 'ws://127.0.0.1@evil.example/' } }, 'not a ws:'],
    ['is not of a WebSocket', { transport: { kind: 'ws', url: 'http://127.0.0.1/' } }, 'not a ws:'],
    ['has a socket somewhere', { transport: { kind: 'uds', path: 'relative/s' } }, 'not absolute'],
    ['has a transport of another kind', { transport: { kind: 'pipe', path: '/x' } }, 'no known transport'],
    ['has another version', { version: 3 }, 'version is 3'],
    ['has no instance', { instanceId: 7 }, 'no instanceId'],
    ['has half a claim', { hostMintedClaim: { code: 'AB3X-7K' } }, 'claim is incomplete'],
    ['has a process that is none', { pid: -1 }, 'is not a process id'],
  ])('that %s does not count, and the log says why', async (_, wrong, why) => {
    const { home, gateway, logs } = await startGateway()
    const app = new ListeningApp({})
    app.transport = { kind: 'ws', url: 'ws://127.0.0.1:1/' }
    app.publish(home, { ...app.manifest(), ...wrong })
    expect(await gateway.apps()).toEqual([])
    await gateway.apps()
    expect(logs).toEqual([expect.stringContaining(why)])
  })

  it.each([
    ['no JSON', 'garbage'],
    ['a list', '[]'],
    ['nothing', ''],
    ['too much', JSON.stringify({ version: 2, x: 'x'.repeat(70_000) })],
  ])('that is %s does not count', async (_, text) => {
    const { home, gateway, logs } = await startGateway()
    writeInstance(home, 'odd', text)
    expect(await gateway.apps()).toEqual([])
    expect(logs).toHaveLength(1)
  })

  it.skipIf(process.getuid?.() !== 0)('of another user does not count (needs to be root, to make one)', async () => {
    const { url, home, gateway, logs } = await startGateway()
    const app = await new ListeningApp({ actions: [work] }).listenWs()
    onTestFinished(() => app.close())
    app.publish(home)
    const path = join(home, '.tesseron', 'instances', `${app.instanceId}.json`)
    chownSync(path, 12_345, 12_345)
    expect(await gateway.apps()).toEqual([])
    expect(logs).toEqual([expect.stringContaining('it belongs to another user')])
    const agent = await agentOn(url, '2026-07-28')
    expect(await agent.call('tesseron__claim_session', { code: app.code })).toMatch(/^failed: No application waits/)
    expect(app.offered).toEqual([])
    chownSync(path, 0, 0)
    expect(await agent.call('tesseron__claim_session', { code: app.code })).toContain('"app_id":"todo"')
  })

  it('is a file, and no link or folder', async () => {
    const { home, gateway } = await startGateway()
    const app = new ListeningApp({})
    app.transport = { kind: 'ws', url: 'ws://127.0.0.1:1/' }
    const elsewhere = join(temporaryHome(), 'elsewhere.json')
    writeFileSync(elsewhere, JSON.stringify(app.manifest()))
    const folder = join(home, '.tesseron', 'instances')
    mkdirSync(join(folder, 'folder.json'), { recursive: true })
    symlinkSync(elsewhere, join(folder, 'link.json'))
    expect(await gateway.apps()).toEqual([])
  })
})

it('works without a folder to look in, and with one that goes away', async () => {
  const home = temporaryHome()
  const { url, gateway } = await startGateway({ home })
  rmSync(join(home, '.tesseron'), { recursive: true, force: true })
  expect(await gateway.apps()).toEqual([])
  const app = await listeningApp(home, { actions: [work] })
  const agent = await agentOn(url, '2026-07-28')
  expect(await agent.call('tesseron__claim_session', { code: app.code })).toContain('"app_id":"todo"')
})

it('says that an application which is there cannot be reached', async () => {
  const { url, home } = await startGateway()
  const app = await new ListeningApp({}).listenWs()
  app.publish(home)
  await app.close()
  const agent = await agentOn(url, '2026-07-28')
  expect(await agent.call('tesseron__claim_session', { code: app.code })).toMatch(
    /^failed: "Todos" could not be claimed: The application cannot be reached/,
  )
})

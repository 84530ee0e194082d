// A page whose host keeps the gateway's connection when the page goes, in a real browser. The gateway sees no disconnect, and
// the person has not answered: the call still ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { heartbeatMs } from '../../packages/gateway/src/invocations/heartbeat.js'
import { agentOn, startGateway } from '../../packages/gateway/test/setup.js'
import { launch, noBrowser } from '../../packages/server/test/browser/chromium.js'
import { FakeClock } from '../../packages/server/test/fake-clock.js'

const folder = mkdtempSync(join(tmpdir(), 'beckon-hidden-'))
const program = (name: string): string => fileURLToPath(new URL(`programs/${name}`, import.meta.url))

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@beckon/source', 'module', 'browser', 'production'] },
    build: {
      outDir: folder,
      lib: { entry: program('page.ts'), formats: ['es'], fileName: () => 'page.js' },
      // The host serves one file.
      rollupOptions: { output: { inlineDynamicImports: true } },
    },
  })
})

afterAll(() => rmSync(folder, { recursive: true }))

/** A gateway, and a page behind its host that an agent has claimed; its person takes their time. */
async function claimedPage(clock?: FakeClock) {
  const { url, home } = await startGateway(clock && { server: { clock } })
  const host = spawn(process.execPath, [program('hiding-host.mjs'), home, join(folder, 'page.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void host.kill())
  const [port] = await once(host.stdout, 'data')
  const context = await (await launch()).newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`http://127.0.0.1:${Number(port)}/`)
  await isConnected(page)
  const answers: (() => void)[] = []
  const agent = await agentOn(url, '2025-11-25', {
    answer: () => new Promise(resolve => answers.push(() => resolve({ action: 'accept', content: {} }))),
  })
  const code = await page.locator('output').innerText()
  expect(await agent.call('tesseron__claim_session', { code })).toContain('"app_id":"todo"')
  const called = agent.call('todo__clear')
  const seen = await agent.asked.when(() => true)
  return { page, agent, called, seen, answers }
}

const isConnected = (page: Page) => page.waitForFunction(() => document.title === 'connected')

describe.skipIf(noBrowser !== undefined)('a page whose host hides that it went', () => {
  it('ends the call, and withdraws the question, when it is reloaded during an ask, and takes the next call', async () => {
    const { page, agent, called, seen, answers } = await claimedPage()
    await page.reload()
    expect(await called).toMatch(/^failed: The connection to the gateway has ended/)
    expect(seen.signal.aborted).toBe(true)
    const next = agent.call('todo__clear')
    await agent.asked.when(() => agent.asked.all.length === 2)
    answers[1]?.()
    expect(await next).toBe('removed')
  })

  it('ends the call within three heartbeats when it is closed for good', async () => {
    const clock = new FakeClock()
    const { page, agent, called, seen } = await claimedPage(clock)
    // What is said on one connection stays in order: once this is read, the heartbeat before it has been answered.
    await agent.client.readResource({ uri: 'tesseron://todo/title' })
    await page.close()
    clock.advance(3 * heartbeatMs)
    expect(await called).toMatch(/^failed: "Todos" did not finish: The application went away/)
    expect(seen.signal.aborted).toBe(true)
  })

  it('goes on for as long as the page is there and its person thinks', async () => {
    const clock = new FakeClock()
    const { agent, called, answers } = await claimedPage(clock)
    for (let beats = 0; beats < 10; beats++) {
      await agent.client.readResource({ uri: 'tesseron://todo/title' })
      clock.advance(heartbeatMs)
    }
    answers[0]?.()
    expect(await called).toBe('removed')
  })
})

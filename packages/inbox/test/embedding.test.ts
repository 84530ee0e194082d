// The inbox in a page of somebody else's, as docs/inbox.md shows it: built with Vite, served elsewhere, let in by tickets.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearerAccess } from '../../desk/src/index.js'
import { eventually, hasBrowser, patienceMs, Rig } from './rig.js'

const rig = new Rig()
const token = 'a-token-of-ana-that-is-long-enough'
const people = new Map([[token, { principal: 'ana', device: 'backend' }]])
const docs = readFileSync(new URL('../../../docs/inbox.md', import.meta.url), 'utf8')
const snippet = (language: string, has: string): string => {
  const found = [...docs.matchAll(/```(\w+)\n([\s\S]*?)```/g)].find(
    ([, name, text]) => name === language && text?.includes(has),
  )
  if (found?.[2] === undefined) throw new Error(`docs/inbox.md has no ${language} with ${has}.`)
  return found[2]
}

/** The documented page, its theme and its tickets, built as anyone would build them. */
async function buildPage(folder: string, outDir: string): Promise<void> {
  const ticket = snippet('js', 'getTicket')
  const [, element = ''] = /(<beckon-inbox[\s\S]*?<\/beckon-inbox>)/.exec(snippet('html', '<beckon-inbox')) ?? []
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en"><style>:root { color-scheme: light dark }</style><body>${element}<script type="module" src="/main.js"></script></body></html>`,
  )
  writeFileSync(join(folder, 'theme.css'), snippet('css', '--beckon-accent'))
  writeFileSync(join(folder, 'main.js'), `import './theme.css'\nimport '@beckon/inbox'\n${ticket}`)
  const source = fileURLToPath(new URL('../src/index.ts', import.meta.url))
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
    resolve: { alias: { '@beckon/inbox': source }, conditions: ['@beckon/source', 'module', 'browser', 'production'] },
  })
}

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

describe.skipIf(!hasBrowser)('an inbox in somebody else’s page', { timeout: 4 * patienceMs }, () => {
  rig.attend({ startsDesk: false })
  const folder = mkdtempSync(join(tmpdir(), 'beckon-embedding-'))
  const outDir = join(folder, 'dist')
  let elsewhere: Server
  let origin = ''
  let tickets = 0

  beforeAll(async () => {
    await buildPage(folder, outDir)
    elsewhere = createServer(async (incoming, outgoing) => {
      const path = incoming.url === '/' ? '/index.html' : (incoming.url ?? '')
      if (path === '/my-backend/desk-ticket') {
        const headers = { authorization: `Bearer ${token}` }
        const given = await fetch(new URL('/ticket', rig.url), { method: 'POST', headers })
        if (given.ok) tickets++
        outgoing.writeHead(given.status, { 'content-type': 'application/json' }).end(await given.text())
        return
      }
      const body = await readFile(join(outDir, path)).catch(() => undefined)
      outgoing.writeHead(body ? 200 : 404, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(body)
    })
    await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  }, 4 * patienceMs)
  afterAll(() => {
    elsewhere.closeAllConnections()
    elsewhere.close()
    rmSync(folder, { recursive: true })
  })

  const start = () =>
    rig.start({ access: bearerAccess({ tokens: async secret => people.get(secret) }), allowedOrigins: [origin] })

  /** Someone at the page, whose desk is at the address that it happens to have here. */
  async function visit(socket: string, how: 'light' | 'dark' = 'light'): Promise<Page> {
    const context = await rig.browser?.newContext({ locale: 'en-GB', colorScheme: how, reducedMotion: 'reduce' })
    if (context === undefined) throw new Error('There is no browser.')
    context.setDefaultTimeout(patienceMs)
    await context.addInitScript(socket => {
      const told: unknown[] = []
      Object.assign(globalThis, { told })
      for (const type of ['beckon-answered', 'beckon-signed-out'])
        addEventListener(type, event => told.push([type, (event as CustomEvent).detail]))
      document.addEventListener('DOMContentLoaded', () =>
        document.querySelector('beckon-inbox')?.setAttribute('desk', socket),
      )
    }, socket)
    const page = await context.newPage()
    await page.goto(origin)
    return page
  }
  const told = (page: Page): Promise<unknown> =>
    page.evaluate(() => (globalThis as unknown as { told: unknown[] }).told)

  it('gets itself new tickets, tells of answers, and once that someone is signed out', async () => {
    const { url } = await start()
    const socket = `${url.replace(/^http/, 'ws')}live`
    const outcome = rig.ask({ id: 'one', message: 'Just this?' })
    const page = await visit(socket)
    const before = tickets
    await page.locator('beckon-ask-list .row', { hasText: 'Just this?' }).click()
    await page.getByRole('button', { name: 'Accept' }).click()
    // Nothing is sent yet, and nobody was told.
    await page.getByText('Accepted, and not sent yet.').waitFor()
    expect(await told(page)).toEqual([])
    await page.getByRole('button', { name: 'Send now' }).click()
    expect(await outcome).toMatchObject({ action: 'accept', by: [{ principal: 'ana' }] })
    const answered = ['beckon-answered', { session: 'shop', request: 'one', response: 'accept' }]
    await eventually(() => told(page)).toEqual([answered])

    await rig.stop()
    await page.getByText('No connection.').waitFor()
    await start()
    await page.locator('.banner').waitFor({ state: 'detached' })
    expect(tickets).toBeGreaterThan(before)
    // Nobody can ask over HTTP from here, where a ticket is all there is.
    void rig.ask({ message: 'Refund?', _meta: { 'beckon/tool': 'refund' } })
    await page.locator('beckon-ask-list .row', { hasText: 'Refund?' }).click()
    await page.getByRole('button', { name: 'Decline' }).waitFor()
    expect(await page.getByRole('button', { name: 'Always allow' }).count()).toBe(0)

    people.clear()
    rig.desk?.recheck()
    const signedOut = ['beckon-signed-out', { canSignIn: false }]
    await eventually(() => told(page)).toEqual([answered, signedOut])
    await page.getByText('You are signed out.').waitFor()
    people.set(token, { principal: 'ana', device: 'backend' })
    await page.getByRole('button', { name: 'Try now' }).click()
    await page.locator('.banner').waitFor({ state: 'detached' })
    expect(await told(page)).toEqual([answered, signedOut])
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)('has its colours from one accent, which can be read in %s', async how => {
    const { url } = await start()
    void rig.ask({ message: 'Deploy?' })
    const page = await visit(`${url.replace(/^http/, 'ws')}live`, how)
    await page.locator('beckon-ask-list .row', { hasText: 'Deploy?' }).click()
    const accept = page.getByRole('button', { name: 'Accept' })
    const avatar = page.locator('beckon-request .avatar')
    const title = page.locator('beckon-inbox h1 svg')
    await accept.waitFor()
    expect(await accept.evaluate(button => getComputedStyle(button).borderRadius)).toBe('4px')
    const documented = await pixelOf(accept, 'background-color')
    // The documented accent is green, also through a bundler that knows old browsers.
    expect(documented[1]).toBeGreaterThan(documented[0] ?? 0)
    for (const accent of ['', '#ffd400', '#ff0000', '#0000ff', '#00ff88', '#ffffff', '#000000']) {
      await page.evaluate(
        accent => document.querySelector('beckon-inbox')?.style.setProperty('--beckon-accent', accent),
        accent,
      )
      const raised = await pixelOf(page.locator('beckon-inbox .side'), 'background-color')
      const contrasts = [
        contrast(await pixelOf(accept, 'background-color'), await pixelOf(accept, 'color')),
        contrast(await pixelOf(avatar, 'background-color'), await pixelOf(avatar, 'color')),
        contrast(raised, await pixelOf(title, 'color')),
      ]
      expect(Math.min(...contrasts), `${accent} in ${how}`).toBeGreaterThanOrEqual(4.5)
    }
    await page.context().close()
  })
})

/** A colour as it is drawn. */
function pixelOf(element: Locator, property: string): Promise<number[]> {
  return element.evaluate((node, property) => {
    const context = document.createElement('canvas').getContext('2d')
    if (context === null) throw new Error('There is nothing to draw on.')
    context.fillStyle = getComputedStyle(node).getPropertyValue(property)
    context.fillRect(0, 0, 1, 1)
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }, property)
}

/** As WCAG 2 has it. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const luminance = (pixel: readonly number[]): number => {
    const [red = 0, green = 0, blue = 0] = pixel.map(part =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

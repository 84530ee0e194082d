import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensurePage } from '../../../scripts/page.mjs'
import { serveInbox } from './inbox-page.js'

const server = createServer((incoming, outgoing) => {
  serveInbox(incoming.url ?? '', incoming, outgoing).then(isServed => isServed || outgoing.writeHead(404).end())
})
let url: string

beforeAll(async () => {
  if (!(await ensurePage())) throw new Error('The page could not be built.')
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}, 120_000)
afterAll(() => server.close())

it('serves the page so that it may do nothing but what it is for, and is looked up anew each time', async () => {
  const response = await fetch(`${url}/`)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'; script-src 'self'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringMatching(/(?=.*camera=\(\))(?=.*microphone=\(\))(?=.*geolocation=\(\))/),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'no-cache',
  })
  const etag = response.headers.get('etag') ?? ''
  expect((await fetch(`${url}/`, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

it('has no script or style in the page itself, and serves what it names for good', async () => {
  const html = await (await fetch(`${url}/`)).text()
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/)
  const names = Array.from(html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g), ([, name]) => name)
  expect(names.length).toBeGreaterThan(1)
  for (const name of names) {
    const response = await fetch(`${url}${name}`, { headers: { 'accept-encoding': 'br' } })
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(response.headers.get('content-encoding')).toBe('br')
    expect((await response.text()).length).toBeGreaterThan(100)
  }
})

it('serves what a browser needs to install it, looked up anew each time', async () => {
  const manifest = await fetch(`${url}/manifest.webmanifest`)
  expect(manifest.headers.get('content-type')).toBe('application/manifest+json')
  const { icons } = (await manifest.json()) as { icons: { src: string }[] }
  for (const { src } of icons) expect((await fetch(`${url}${src}`)).headers.get('content-type')).toBe('image/png')
  const worker = await fetch(`${url}/service-worker.js`)
  expect(Object.fromEntries(worker.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
  })
  // It is a script, not a module: not every browser takes modules there.
  expect(await worker.text()).not.toMatch(/^\s*(import|export)\b|import\(/m)
})

it('serves the same page at the address of an ask', async () => {
  const page = await (await fetch(`${url}/`)).text()
  for (const path of ['/asks/call-1/a', '/asks/deploys', '/asks/..%2f..%2fetc/passwd'])
    expect(await (await fetch(`${url}${path}`)).text()).toBe(page)
})

it('serves nothing else', async () => {
  for (const path of ['/assets/', '/index.html', '/assets/../index.html', '/..%2fpackage.json', '/main.ts'])
    expect((await fetch(`${url}${path}`)).status).toBe(404)
  expect((await fetch(`${url}/`, { method: 'POST' })).status).toBe(404)
})

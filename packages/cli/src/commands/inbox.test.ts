import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remoteDeskFrom } from 'beckon/desk/adapter'
import { expect, it, onTestFinished } from 'vitest'
import { startBeckon } from '../../test/beckon.js'
import { keys, noTerminal, openPty } from '../../test/pty.js'
import { runHere } from '../../test/run-here.js'

const patient = 120_000

it('prints who comes in where, and keeps the tokens that it is given', { timeout: patient }, async () => {
  const token = 'a-token-of-the-shop'
  const servers = ['--server', `shop=${token}`, '--server', 'other']
  const inbox = startBeckon(['inbox', '--port', '0', '--store', 'memory', ...servers])
  const shop = new URL((await inbox.written(/For shop: +(\S+)/))[1] ?? '')
  const other = new URL((await inbox.written(/For other: +(\S+)/))[1] ?? '')
  const link = new URL((await inbox.written(/Inbox: +(\S+)/))[1] ?? '')
  expect(shop).toMatchObject({ username: 'shop', password: token, host: link.host })
  expect(other.password).not.toBe('')
  const open = (password: string) =>
    fetch(new URL('/api/asks', link), {
      method: 'POST',
      headers: { authorization: `Bearer ${password}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: '1', message: 'Order?' }),
    })
  expect((await open(token)).status).toBe(201)
  expect((await open(other.password)).status).toBe(201)
  expect((await open('a-token-of-nobody')).status).toBe(401)
  expect(await inbox.stop()).toBe(0)
})

it.skipIf(noTerminal !== undefined)(
  'prints another link when someone presses Enter, and ends with Ctrl-C',
  {
    timeout: patient,
  },
  async () => {
    const pty = openPty(['inbox', '--port', '0', '--store', 'memory'])
    await pty.shows('Enter prints another')
    await pty.shows('State:')
    pty.type(keys.enter)
    await pty.shows('Inbox: http://127.0.0.1:')
    pty.type(keys.ctrlC)
    expect(await pty.ended()).toBe(0)
    const links = [...pty.raw.matchAll(/\?key=([\w-]+)/g)].map(([, key]) => key)
    expect(new Set(links).size).toBe(2)
  },
)

it('tells by push whoever opened its link, and by e-mail where it has a server for it', {
  timeout: patient,
}, async () => {
  const mail = ['--smtp', 'smtp://127.0.0.1:9', '--mail-from', 'desk@example.com']
  const inbox = startBeckon(['inbox', '--port', '0', '--store', 'memory', ...mail])
  const link = new URL((await inbox.written(/Inbox: +(\S+)/))[1] ?? '')
  const opened = await fetch(link, { redirect: 'manual' })
  const cookie = opened.headers
    .getSetCookie()
    .map(each => each.split(';')[0])
    .join('; ')
  const settings = await (await fetch(new URL('/api/notify', link), { headers: { cookie } })).json()
  expect(settings).toMatchObject({
    channels: {
      push: { isOn: true, state: { publicKey: expect.any(String), subscriptions: [] } },
      email: { isOn: true },
    },
  })
  expect(await inbox.stop()).toBe(0)
})

it.each([
  [['--smtp', 'smtp://127.0.0.1:9'], '--mail-from'],
  [['--smtp', 'https://mail.example', '--mail-from', 'desk@example.com'], 'smtp: or smtps:'],
])('does not start with %j', { timeout: patient }, async (mail, words) => {
  const { code, stderr } = await runHere(['inbox', '--store', 'memory', ...mail])
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})

it.each([
  ['a name!', 'names no server'],
  ['shop=short', '16 letters'],
])('does not take "%s" for a server', { timeout: patient }, async (word, words) => {
  const { code, stderr } = await runHere(['inbox', '--store', 'memory', '--server', word])
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})

it('decides by the rules of a file, and does not start with mistakes in it', { timeout: patient }, async () => {
  const path = join(tmpdir(), `beckon-inbox-rules-${process.pid}.json`)
  onTestFinished(() => rmSync(path, { force: true }))
  writeFileSync(path, '{ "rules": [\n{ "id": "ok", "effect": "allow", "match": { "tool": "order" } }] }')
  const inbox = startBeckon(['inbox', '--port', '0', '--store', 'memory', '--server', 'shop', '--rules', path])
  const shop = new URL((await inbox.written(/For shop: +(\S+)/))[1] ?? '')
  const desk = remoteDeskFrom(shop.href)
  const expiresAt = Date.now() + 60_000
  const { outcome } = await desk.open({ server: 'shop', tool: 'order' }, { id: '1', message: 'Order?' }, { expiresAt })
  expect(await outcome()).toEqual({ action: 'accept', content: {}, by: [{ rule: 'ok' }] })
  expect(await inbox.stop()).toBe(0)
  writeFileSync(path, '{ "rules": [\n{ "id": "ok", "effect": "permit", "match": { "tool": "order" } }] }')
  const { code, stderr } = await runHere(['inbox', '--port', '0', '--store', 'memory', '--rules', path])
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${path}:2: "effect"`)])
})

it.each([
  ['inbox', '--store', 'memory', '--port'],
  ['demo', '--store', 'memory', '--port'],
  ['proxy', 'http://127.0.0.1:9/mcp', '--desk-port'],
  ['proxy', 'http://127.0.0.1:9/mcp', '--http'],
  ['gateway', '--store', 'memory', '--http'],
  ['doctor', '--client', '--http'],
])('says that a port is taken: %s %s %s', { timeout: patient }, async (...words) => {
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = taken.address() as AddressInfo
  const { code, stderr } = await runHere([...words, String(port)])
  expect(stderr).toContain(`Port ${port} is taken`)
  expect(code).toBe(4)
  await new Promise(resolve => taken.close(resolve))
})

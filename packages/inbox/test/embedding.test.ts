// The inbox in a page of somebody else's, on another origin: its backend gets a ticket for each connection, and the page asks for
// another one by itself.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bearerAccess } from '../../desk/src/index.js'
import { readPageFiles } from '../src/page-files.js'
import { eventually, hasBrowser, patienceMs, Rig } from './rig.js'

const rig = new Rig()
const token = 'a-token-of-alice-at-the-backend'

/** A site that shows the inbox, and whose backend alone has Alice's token. */
async function serveSite(): Promise<{ readonly origin: string; readonly tickets: string[] }> {
  const tickets: string[] = []
  const files = await readPageFiles()
  const index = String(files.get('/')?.body)
  const script = /src="([^"]+\.js)"/.exec(index)?.[1] ?? ''
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url ?? '/'
    if (path === '/desk-ticket') {
      const headers = { authorization: `Bearer ${token}` }
      const reply = await fetch(new URL('/ticket', rig.url), { method: 'POST', headers }).catch(() => undefined)
      const { ticket = '' } = reply?.ok ? ((await reply.json()) as { ticket?: string }) : {}
      if (ticket !== '') tickets.push(ticket)
      return void outgoing.writeHead(ticket === '' ? 503 : 200).end(JSON.stringify({ ticket }))
    }
    const file = files.get(path)
    if (path !== '/' && file !== undefined)
      return void outgoing.writeHead(200, { 'content-type': file.type }).end(file.body)
    outgoing.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><html lang="en"><title>A site</title>
<link rel="icon" href="data:,"><style>beckon-inbox { height: 40rem }</style><beckon-inbox desk="${rig.url.replace(/^http/, 'ws')}live"></beckon-inbox>
<script>
document.querySelector('beckon-inbox').getTicket = async () => {
  const reply = await fetch('/desk-ticket')
  if (!reply.ok) throw new Error('There is no ticket.')
  return (await reply.json()).ticket
}
</script>
<script type="module" src="${script}"></script></html>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tickets }
}

describe.skipIf(!hasBrowser)('the inbox in a page of another origin', { timeout: 4 * patienceMs }, () => {
  rig.attend({ startsDesk: false })

  it('comes in with a ticket, and gets another one by itself when its connection was lost', async () => {
    const { origin, tickets } = await serveSite()
    const access = bearerAccess({ tokens: { [token]: { principal: 'alice' } } })
    await rig.start({ access, allowedOrigins: [origin] })
    const first = rig.ask({ id: 'one', message: 'May I deploy?' })
    const alice = await rig.visit('nobody', { path: `${origin}/` })
    await alice.open('May I deploy?')
    expect(tickets).toHaveLength(1)
    await alice.press('Accept')
    expect(await first).toMatchObject({ action: 'accept', by: [{ principal: 'alice' }] })

    // The desk goes, and comes back: what it gave before is used up.
    await rig.stop()
    await rig.start({ access, allowedOrigins: [origin] })
    const second = rig.ask({ id: 'two', message: 'And now?' })
    await alice.open('And now?')
    await eventually(() => new Set(tickets).size).toBeGreaterThan(1)
    await alice.press('Accept')
    expect(await second).toMatchObject({ action: 'accept', by: [{ principal: 'alice' }] })
  })
})

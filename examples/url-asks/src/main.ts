// Tools that send a person to a page, over every wire that can: pushed (2025-11-25), in rounds (2026-07-28), as a task, and
// on a desk, for a client that cannot ask at all.
import assert from 'node:assert/strict'
import { createDesk, type Desk } from '@beckon/desk'
import { leadsTo, submit } from './browser.js'
import { callTool, wires } from './call-tool.js'
import type { Person } from './person.js'
import { serve } from './serve.js'
import { createShop } from './shop.js'
import { createWarehouse } from './warehouse.js'

/** Calls a tool, for one person. */
type CallTool = (tool: string, person: Person) => Promise<string>

const no: Person = { open: async () => 'decline' }

for (const wire of wires) {
  const desk = createDesk()
  const { socketUrl } = await desk.listen()
  const calling =
    (url: string): CallTool =>
    (tool, person) =>
      callTool(tool, person, { wire, url, desk, socketUrl })
  await visitShop(desk, calling)
  await visitWarehouse(desk, calling)
  await desk.close()
  console.log(`url-asks: ok (${wire})`)
}

async function visitShop(desk: Desk, calling: (url: string) => CallTool): Promise<void> {
  const { mcp, app } = createShop({ desk })
  const { origin, close } = await serve(app)
  const call = calling(`${origin}/mcp`)
  const pays: Person = {
    async open(url) {
      const { host, searchParams } = new URL(url)
      assert.equal(host, 'pay.example.com')
      const page = await fetch(`${origin}/payment/callback?state=${searchParams.get('state')}`)
      assert.match(await page.text(), /Done! You can close this tab\./)
      return 'accept'
    },
  }
  // The callback comes when the call already waits for it.
  const visits: Promise<unknown>[] = []
  const paysLater: Person = {
    async open(url) {
      setImmediate(() => visits.push(pays.open(url)))
      return 'accept'
    },
  }
  const yes: Person = { open: async () => 'accept', fillIn: () => ({ theme: 'dark', language: 'Polish' }) }

  assert.equal(await call('configure', yes), 'Theme: dark, Language: Polish')
  assert.equal(await call('configure', no), 'Configuration cancelled.')
  assert.equal(await call('review_terms', yes), 'Thank you.')
  assert.equal(await call('review_terms', no), 'You must accept the terms to continue.')
  assert.equal(await call('premium_tool', pays), 'Paid: true')
  assert.equal(await call('premium_tool', paysLater), 'Paid: true')
  assert.equal(await call('premium_tool', no), 'Not paid.')

  assert.equal(visits.length, 1)
  await Promise.all(visits)
  // Someone who comes to the callback with nothing, or with what nobody made, ends nothing.
  for (const state of ['', '?state=', '?state=nobody:nothing'])
    assert.equal((await fetch(`${origin}/payment/callback${state}`)).status, 404)
  await mcp.close()
  close()
}

async function visitWarehouse(desk: Desk, calling: (url: string) => CallTool): Promise<void> {
  const server = createWarehouse({ desk })
  const { url } = await server.listen({ port: 0 })
  const call = calling(url)
  const signsIn: Person = {
    async open(link) {
      assert.match(await submit(link, { username: 'ada', password: 'correct horse' }), /<h1>Done<\/h1>/)
      return 'accept'
    },
  }
  const signs: Person = {
    async open(link) {
      const { host, searchParams } = leadsTo(await submit(link))
      assert.equal(host, 'sign.example.com')
      const [sessionId = '', elicitationId = ''] = searchParams.get('state')?.split(':') ?? []
      await server.session(sessionId).set('signed', true)
      assert.equal(await server.completeElicitation(elicitationId), true)
      return 'accept'
    },
  }
  assert.equal(await call('stock', signsIn), 'Stock for ada')
  assert.equal(await call('sign_contract', signs), 'Signed and sent.')
  assert.match(await call('stock', no), /declined/)
  assert.match(await call('sign_contract', no), /declined/)
  await server.close()
}

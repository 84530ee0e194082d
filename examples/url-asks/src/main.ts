// Tools that send a person to a page, over every wire that can: pushed (2025-11-25), in rounds (2026-07-28), as a task.
import assert from 'node:assert/strict'
import type { BeckonServer } from 'beckon'
import { createTestClient } from 'beckon/test'
import { leadsTo, submit } from './browser.js'
import { callAs, type Person } from './client.js'
import { serve } from './serve.js'
import { createShop } from './shop.js'
import { createWarehouse } from './warehouse.js'

/** Calls a tool over one wire. */
type CallTool = (tool: string, person: Person) => Promise<string>

await shop()
await warehouse()
console.log('url-asks: ok')

async function shop(): Promise<void> {
  const { mcp, app } = createShop()
  const { origin, close } = await serve(app)
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
  const paysLater: Person = {
    async open(url) {
      setImmediate(() => pays.open(url))
      return 'accept'
    },
  }
  const yes: Person = { open: async () => 'accept', fillIn: () => ({ theme: 'dark', language: 'Polish' }) }
  const no: Person = { open: async () => 'decline' }
  for (const call of everyWire(mcp, `${origin}/mcp`)) {
    assert.equal(await call('configure', yes), 'Theme: dark, Language: Polish')
    assert.equal(await call('configure', no), 'Configuration cancelled.')
    assert.equal(await call('review_terms', yes), 'Thank you.')
    assert.equal(await call('review_terms', no), 'You must accept the terms to continue.')
    assert.equal(await call('premium_tool', pays), 'Paid: true')
    assert.equal(await call('premium_tool', paysLater), 'Paid: true')
    assert.equal(await call('premium_tool', no), 'Not paid.')
  }
  await mcp.close()
  close()
}

async function warehouse(): Promise<void> {
  const server = createWarehouse()
  const { url } = await server.listen({ port: 0 })
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
      server.session(sessionId).set('signed', true)
      await server.completeElicitation(elicitationId)
      return 'accept'
    },
  }
  const no: Person = { open: async () => 'decline' }
  for (const call of everyWire(server, url)) {
    assert.equal(await call('stock', signsIn), 'Stock for ada')
    assert.equal(await call('sign_contract', signs), 'Signed and sent.')
    assert.match(await call('stock', no), /declined/)
  }
  await server.close()
}

function everyWire(server: BeckonServer, url: string): CallTool[] {
  return [
    (tool, person) => callAs(person, url, 'legacy', tool),
    (tool, person) => callAs(person, url, 'modern', tool),
    (tool, person) => callAsTask(server, tool, person),
  ]
}

/** As a task, with the client that `beckon/test` has. */
async function callAsTask(server: BeckonServer, tool: string, person: Person): Promise<string> {
  const client = createTestClient(server, {
    wire: 'tasks',
    replay: 'when-needed',
    answer: async ask => (ask.kind === 'url' ? await person.open(ask.url) : (person.fillIn?.() ?? 'decline')),
  })
  try {
    const { content } = await client.callTool(tool)
    return content.map(block => block.text ?? '').join('\n')
  } finally {
    await client.close()
  }
}

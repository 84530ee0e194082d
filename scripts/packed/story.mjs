// What someone does who installed the packages in a folder of their own: a server with a store, a desk beside it, a call of a
// client that cannot ask, and a colleague who answers. Runs in that folder.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { bearerAccess, createDesk } from '@beckon/desk'
import { sqliteStore } from '@beckon/sqlite'
import { createServer } from 'beckon'
import { createTestClient } from 'beckon/test'

const here = import.meta.dirname
const token = 'a-token-of-alice'
const desk = createDesk({
  store: sqliteStore(join(here, 'desk.db')),
  access: bearerAccess({ tokens: { [token]: { principal: 'alice' } } }),
})
const { url } = await desk.listen()
const server = createServer({ name: 'shop', version: '1.0.0', store: sqliteStore(join(here, 'shop.db')), desk })
server.tool('clear', {}, async (_input, ctx) => ((await ctx.confirm('Remove everything?')) ? 'Removed.' : 'Kept.'))

const asked = createTestClient(server, { answer: [false] })
assert.deepEqual((await asked.callTool('clear')).content, [{ type: 'text', text: 'Kept.' }])
await asked.close()

const unable = createTestClient(server, { capabilities: {} })
const result = unable.callTool('clear')
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
assert.match(await (await fetch(url, { headers })).text(), /<beckon-inbox/)
const ask = await firstAsk()
const answer = new URL(`api/asks/${ask.session}/${ask.id}/answer`, url)
assert.equal((await fetch(answer, { method: 'POST', headers, body: '{}' })).status, 200)
assert.deepEqual((await result).content, [{ type: 'text', text: 'Removed.' }])
await unable.close()
await desk.close()

/** @returns {Promise<{ session: string, id: string }>} */
async function firstAsk() {
  for (;;) {
    const { asks } = await (await fetch(new URL('api/asks', url), { headers })).json()
    if (asks.length > 0) return asks[0]
  }
}

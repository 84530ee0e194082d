// A change that a person sees before they agree: in a client that has only a message, and on a desk.
import assert from 'node:assert/strict'
import { bearerAccess, createDesk } from '@beckon/desk'
import { createTestClient } from 'beckon/test'
import { createOps } from './server.js'

async function inAClient(): Promise<void> {
  const server = createOps()
  const client = createTestClient(server, { answer: ask => ask.show?.[1]?.kind === 'diff' })
  const { content } = await client.callTool('set_port', { port: 443 })
  assert.equal(content[0]?.text, 'The port is 443 now.')
  // What a client that knows no blocks has: the same as text.
  const sent = JSON.stringify(client.messages)
  assert.ok(sent.includes(String.raw`nginx.conf:\n- listen = 80\n+ listen = 443\n  workers = 4`))
  await client.close()
  await server.close()
}

async function onADesk(): Promise<void> {
  const token = 'the-token-of-ana-which-is-long'
  const desk = createDesk({ access: bearerAccess({ tokens: { [token]: { principal: 'ana' } } }) })
  const { url } = await desk.listen()
  const server = createOps({ desk, wait: 'hold' })
  const client = createTestClient(server, { capabilities: {} })
  const call = client.callTool('set_port', { port: 8443 })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const [ask] = await openAsks(url, headers)
  assert.deepEqual(
    ask?.show.map(({ kind }) => kind),
    ['markdown', 'diff', 'table'],
  )
  await fetch(`${url}api/asks/${ask?.session}/${ask?.id}/answer`, { method: 'POST', headers, body: '{}' })
  assert.equal((await call).content[0]?.text, 'The port is 8443 now.')
  await client.close()
  await server.close()
  await desk.close()
}

interface SeenAsk {
  readonly session: string
  readonly id: string
  readonly show: readonly { readonly kind: string }[]
}

/** Looks until something is asked. */
async function openAsks(url: string, headers: Record<string, string>): Promise<readonly SeenAsk[]> {
  for (;;) {
    const { asks } = (await (await fetch(`${url}api/asks`, { headers })).json()) as { asks: readonly SeenAsk[] }
    if (asks.length > 0) return asks
  }
}

await inAClient()
await onADesk()
console.log('showing: ok')

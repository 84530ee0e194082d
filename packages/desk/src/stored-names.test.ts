// What a desk has in a store has the same names with every release: nodes of two releases share one, and keys are bound to names.
import { memoryStore } from 'beckon'
import { passkeys } from 'beckon/passkeys'
import { receipts } from 'beckon/receipts'
import type { Store } from 'beckon/store'
import { expect, it } from 'vitest'
import { freePort } from '../test/free-port.js'
import { bearerAccess, createDesk, type Person } from './index.js'
import { notify } from './notify/index.js'
import { push } from './notify/push/push.js'

const people: Record<string, Person> = {
  'token-of-the-admin': { principal: 'root', role: 'admin' },
  'token-of-ada-lovelace': { principal: 'ada' },
}

/** Always used by what the test does. */
const always = [
  'access/ticket/<digest>',
  'desk/audit/keys',
  'desk/audit/log/<log>',
  'desk/audit/logs',
  'desk/audit/nodes',
  'desk/audit/pending/<id>/<slot>',
  'desk/audit/texts/<texts>',
  'desk/away',
  'desk/away-changed',
  'desk/due',
  'desk/due/lease',
  'desk/hints',
  'desk/notify/channels/push/of/<digest>',
  'desk/notify/channels/push/vapid',
  'desk/notify/lease',
  'desk/notify/outbox',
  'desk/notify/people',
  'desk/notify/people/<digest>',
  'desk/notify/push/lease',
  'desk/notify/queue/push',
  'desk/open/<digest>',
  'desk/open/anyone',
  'desk/open/everything',
  'desk/over/<digest>',
  'desk/over/anyone',
  'desk/passkeys/<digest>',
  'desk/people',
  'desk/people/<digest>',
  'desk/receipt-keys',
  'desk/rules',
  'desk/rules-changed',
  'desk/seen/<digest>',
  'desk/server-tokens',
  'desk/server-tokens-changed',
  'desk/session/s',
  'desk/sessions/<digest>',
  'desk/sessions/anyone',
  'desk/sessions/everything',
  'desk/signed-out',
  'desk/webhooks/<hook>',
  'desk/webhooks/<hook>/lease',
  'keys',
]
/** Used where a part of the desk has time for it before the desk closes. */
const sometimes = [
  'desk/notify/told/s/<instance>',
  'desk/notify/deliveries/<delivery>',
  'desk/over/everything',
  'desk/audit/lease',
]

/** A store that notes the names of the keys, logs, sets and topics that it is asked for. */
function namingStore(): { readonly store: Store; readonly names: Set<string> } {
  const names = new Set<string>()
  const store = new Proxy<Store>(
    { ...memoryStore(), shared: true },
    {
      get(target, property) {
        const method: unknown = Reflect.get(target, property)
        if (typeof method !== 'function') return method
        return (...given: unknown[]) => {
          const [name, , options] = given
          if (typeof name === 'string') names.add(name)
          if (property === 'append') for (const { set } of setsOf(options)) names.add(set)
          return Reflect.apply(method, target, given)
        }
      },
    },
  )
  return { store, names }
}

function setsOf(options: unknown): { readonly set: string }[] {
  const { puts = [], removals = [] } = (options ?? {}) as Record<string, { readonly set: string }[]>
  return [...puts, ...removals]
}

/** Without what is another with each run. */
function plainName(name: string): string {
  return name
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/g, '<id>')
    .replace(/[\w-]{43}/g, '<digest>')
    .replace(/(webhooks\/)[\da-f]{16}/, '$1<hook>')
    .replace(/(audit\/log\/).*/, '$1<log>')
    .replace(/(audit\/texts\/).*/, '$1<texts>')
    .replace(/(told\/s\/).*/, '$1<instance>')
    .replace(/(deliveries\/).*/, '$1<delivery>')
    .replace(/(pending\/<id>\/)\d+/, '$1<slot>')
}

it('keeps everything under the names that it always had', async () => {
  const { store, names } = namingStore()
  const port = await freePort()
  const url = `http://localhost:${port}/`
  const desk = createDesk({
    store,
    access: bearerAccess({ tokens: people }),
    publicUrl: url,
    passkeys: passkeys(),
    receipts: receipts(),
    notify: notify({ channels: [push()] }),
    webhooks: [{ url: 'https://hook.example/', secret: 'a-secret-of-many-characters-here' }],
    onError: () => {},
  })
  await desk.listen({ port })
  async function call(path: string, { as = 'token-of-the-admin', method = 'GET', body = undefined as unknown } = {}) {
    const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' }
    const response = await fetch(new URL(path, url), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect([response.status, await response.text()]).toEqual([
      expect.toSatisfy(status => status < 300),
      expect.anything(),
    ])
  }

  const session = await desk.session('s', { owner: 'ada', server: 'shop' })
  const turn = await session.startTurn()
  const outcome = turn.ask({ id: 'r', question: 'Deploy?' })
  await call('api/admin/tokens', { method: 'POST', body: { server: 'shop' } })
  await call('api/asks')
  await call('api/asks/s/r/answer', { as: 'token-of-ada-lovelace', method: 'POST', body: {} })
  await outcome
  await call('api/rules')
  await call('api/me', { as: 'token-of-ada-lovelace' })
  await call('api/passkeys', { as: 'token-of-ada-lovelace' })
  await call('api/sessions', { as: 'token-of-ada-lovelace' })
  await call('api/notify', { as: 'token-of-ada-lovelace' })
  await call('ticket', { as: 'token-of-ada-lovelace', method: 'POST' })
  await call('api/audit')
  desk.recheck()
  await desk.close()

  const used = new Set(Array.from(names, plainName))
  for (const name of sometimes) used.delete(name)
  expect([...used].sort()).toEqual(always)
})

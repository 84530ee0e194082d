import { memoryStore } from 'beckon'
import type { JsonValue, Store } from 'beckon/store'
import { createTestClock } from 'beckon/test'
import { beforeEach, expect, it } from 'vitest'
import { Clients, type ClientsOptions } from './clients.js'

const alice = { principal: 'alice', dialect: '1.0' } as const
const bob = { principal: 'bob', dialect: '0.3' } as const
const dayMs = 24 * 60 * 60 * 1000
let options: ClientsOptions & { clock: ReturnType<typeof createTestClock> }
let clients: Clients

beforeEach(() => {
  const clock = createTestClock()
  options = { store: memoryStore({ clock }), clock }
  clients = new Clients(options)
})

it('keeps an id for one principal until the last of their connections is over', async () => {
  expect(clients.claim('c', alice)).toBe(true)
  expect(clients.claim('c', alice)).toBe(true)
  clients.release('c')
  expect(clients.claim('c', bob)).toBe(false)
  clients.release('c')
  expect(clients.claim('c', bob)).toBe(true)
  expect(await clients.recall('c', 'mallory')).toBeUndefined()
})

it('remembers the dialect of clients that have gone, here and on other nodes, for a day', async () => {
  clients.claim('c', alice)
  await clients.keep('c', alice)
  clients.release('c')
  const other = new Clients(options)
  expect(await clients.recall('c', 'alice')).toEqual({ dialect: '1.0', wasHere: true })
  expect(await other.recall('c', 'alice')).toEqual({ dialect: '1.0', wasHere: false })
  expect(await other.recall('c', 'bob')).toBeUndefined()
  clients.claim('c', { principal: 'alice', dialect: '0.3' })
  await clients.keep('c', { principal: 'alice', dialect: '0.3' })
  expect(await other.recall('c', 'alice')).toMatchObject({ dialect: '0.3' })
  await options.clock.advance(dayMs)
  expect(await other.recall('c', 'alice')).toBeUndefined()
  expect(await clients.recall('c', 'alice')).toEqual({ dialect: '0.3', wasHere: false })
})

it('knows that a client was elsewhere since, or that its own node began again', async () => {
  await clients.keep('c', alice)
  await new Clients(options).keep('c', alice)
  expect(await clients.recall('c', 'alice')).toEqual({ dialect: '1.0', wasHere: false })
  await clients.keep('c', alice)
  expect(await clients.recall('c', 'alice')).toEqual({ dialect: '1.0', wasHere: true })
})

it('names neither the person nor the client in the store, and writes in which format its records are', async () => {
  const kept = new Map<string, JsonValue>()
  const store: Store = {
    ...options.store,
    set: async (key, value, expiry) => {
      kept.set(key, value)
      await options.store.set(key, value, expiry)
    },
  }
  await new Clients({ ...options, store }).keep('a-client-of-hers', alice)
  const [[key, value] = []] = kept
  expect(key).toMatch(/^clients\/[\w-]{43}$/)
  expect(value).toMatchObject({ v: 1, d: { dialect: '1.0' } })
  // What a later program wrote, and a dialect that this one does not speak, are nothing that it knows.
  for (const other of [
    { v: 2, d: { dialect: '1.0' } },
    { v: 1, d: { dialect: '9.0' } },
  ]) {
    await store.set(key ?? '', other)
    expect(await clients.recall('a-client-of-hers', 'alice')).toBeUndefined()
  }
})

it('remembers so many by itself, and knows nobody while the store is away', async () => {
  const away = {
    ...options.store,
    get: () => Promise.reject(new Error('away')),
    set: () => Promise.reject(new Error('away')),
  }
  clients = new Clients({ ...options, store: away })
  await clients.keep('c1', alice)
  for (let count = 0; count <= 10_000; count++) {
    clients.claim(`c${count}`, alice)
    clients.release(`c${count}`)
  }
  clients.release('never came')
  expect(await clients.recall('c0', 'alice')).toBeUndefined()
  // Where it was last, nobody can say.
  expect(await clients.recall('c1', 'alice')).toEqual({ dialect: '1.0', wasHere: false })
})

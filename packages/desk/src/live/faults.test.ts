import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { questions, type Served, serveTurn, text } from '../../test/live-served.js'

let desk: Served
let isBroken = false
let errors: unknown[]

beforeEach(async () => {
  isBroken = false
  errors = []
  const store = memoryStore()
  const fragile: Store = {
    ...store,
    append: (...args) => (isBroken ? Promise.reject(new Error('disk full at /secret/path')) : store.append(...args)),
  }
  desk = await serveTurn({ store: fragile, onError: error => errors.push(error) })
  await desk.ask({ id: 'r', message: 'Order', questions })
})

afterEach(() => desk.close())

it('a store that fails costs the action, and is told without its details', async () => {
  const client = await desk.connect('1.0')
  await client.subscribe()
  // That somebody looks is recorded in its own time.
  await desk.parts.audit.written()
  isBroken = true
  const draft = { type: 'inputAnswerChanged', requestId: 'r', questionId: 'name', answer: text('Ada') }
  expect(await client.reasonFor(draft)).toBe('The desk could not keep this. Send it again.')
  expect(await client.failure('createSession', { channel: 'ahp-session:/new' })).toEqual({
    code: -32603,
    message: 'The desk could not do this.',
  })
  const away = { message: 'disk full at /secret/path' }
  expect(errors).toMatchObject([away, away])
  // Who looked cannot be recorded; they can look all the same.
  await client.subscribe('ahp-session:/s')
  isBroken = false
  expect(await client.reasonFor(draft)).toBeUndefined()
  expect(client.confirmed()).toEqual(await client.subscribe())
})

import { memoryStore } from 'beckon'
import { createTestClock } from 'beckon/test'
import { afterEach, expect, it } from 'vitest'
import { createParts, type DeskParts } from '../desk-parts.js'
import { tokenOfCaller, tokensOfAsker } from '../index/tokens.js'
import { openOnDesk } from '../turns/open-ask.js'

const clock = createTestClock()
const desks: DeskParts[] = []

afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close()
})

function desk(limits: object, store = memoryStore({ clock })): DeskParts {
  const parts = createParts({ clock, store, limits })
  desks.push(parts)
  return parts
}

function open({ turns }: DeskParts, id: string, more: { readonly server?: string; readonly principal?: string } = {}) {
  const expiresAt = clock.now() + 60_000
  return openOnDesk(turns, [{ server: 'shop', ...more }, { id, message: 'Sure?' }, { expiresAt }], {
    linkTo: session => session,
    identifiesPeople: false,
  })
}

it('counts what ended no longer', async () => {
  const parts = desk({ maxOpenAsksPerCaller: 2 })
  const [first] = [await open(parts, 'a'), await open(parts, 'b')]
  await expect(open(parts, 'c')).rejects.toThrow('The caller has 2 open asks')
  await first.withdraw()
  await parts.index.drained()
  await open(parts, 'c')
  await expect(open(parts, 'd')).rejects.toThrow('The caller has 2 open asks')
})

it('counts each caller, and each server, for itself', async () => {
  const parts = desk({ maxOpenAsksPerCaller: 1, maxOpenAsksPerServer: 3 })
  await open(parts, 'a')
  await open(parts, 'b', { principal: 'alice' })
  await open(parts, 'c', { principal: 'bob' })
  await expect(open(parts, 'd', { principal: 'bob' })).rejects.toThrow('open asks')
  await expect(open(parts, 'd', { principal: 'carol' })).rejects.toThrow('The server has 3 open asks')
  await open(parts, 'd', { server: 'bank' })
})

it('holds over the nodes of a store', async () => {
  const store = memoryStore({ clock })
  const [here, there] = [desk({ maxOpenAsksPerCaller: 2 }, store), desk({ maxOpenAsksPerCaller: 2 }, store)]
  await open(here, 'a')
  await open(there, 'b')
  await expect(open(here, 'c')).rejects.toThrow('open asks')
  await expect(open(there, 'c')).rejects.toThrow('open asks')
  // What is open is found again, also by a node that takes a call over.
  await open(there, 'a')
})

it('forgets the counts that a process left behind when it died, once their time is over', async () => {
  const store = memoryStore({ clock })
  const parts = desk({ maxOpenAsksPerCaller: 1 }, store)
  const [, caller] = tokensOfAsker('shop', tokenOfCaller(undefined))
  const hourMs = 60 * 60_000
  await store.put(`desk/from/${caller}`, `gone/${Math.floor(clock.now() / hourMs) + 1}`, 1)
  await expect(open(parts, 'a')).rejects.toThrow('open asks')
  await clock.advance(hourMs)
  await open(parts, 'a')
  expect(await store.range(`desk/from/${caller}`, { limit: 9 })).toMatchObject([{ score: 1 }])
})

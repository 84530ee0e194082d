// How much may be open: in numbers and in bytes, in a session, of a server, and in all.
import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createParts, type DeskParts, type DeskPartsOptions } from '../desk-parts.js'
import { memberOf, staleMs } from '../index/names.js'
import { tokenOfServer } from '../index/tokens.js'
import { openOnDesk } from '../turns/open-ask.js'

let clock: TestClock
let store: Store
const desks: DeskParts[] = []

beforeEach(() => {
  clock = createTestClock()
  store = memoryStore({ clock })
})
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close()
})

function desk(limits: DeskPartsOptions['limits']): DeskParts {
  const parts = createParts({ clock, store, limits })
  desks.push(parts)
  return parts
}

interface What {
  readonly server?: string
  readonly isRemote?: boolean
  readonly message?: string
  readonly call?: string
}

function open(
  { turns }: DeskParts,
  id: string,
  { server = 'shop', isRemote = true, message = 'Sure?', call }: What = {},
) {
  const terms = { expiresAt: clock.now() + 3_600_000 }
  const options = { linkTo: (session: string) => session, identifiesPeople: true, isRemote }
  return openOnDesk(turns, [{ server, call: call ?? id }, { id, message }, terms], options)
}

const tooMany = { code: 'too-many-asks' }

describe('a server in another process', () => {
  it('has so many asks open on all nodes, whatever others have, and another once one of them has ended', async () => {
    const [one, two] = [desk({ maxOpenAsksOfServer: 3 }), desk({ maxOpenAsksOfServer: 3 })]
    const first = await open(one, 'a')
    await open(two, 'b')
    await open(one, 'c')
    await expect(open(two, 'd')).rejects.toMatchObject(tooMany)
    await expect(open(one, 'd')).rejects.toMatchObject(tooMany)
    await open(one, 'o', { server: 'other' })
    await open(one, 'e', { isRemote: false })
    await first.withdraw()
    await one.index.drained()
    await open(one, 'd')
  })

  it('finds what it has opened also where there is no room for more', async () => {
    const parts = desk({ maxOpenAsksOfServer: 1 })
    await open(parts, 'a')
    expect(await open(parts, 'a')).toMatchObject({ id: 'a' })
    await expect(open(parts, 'b')).rejects.toMatchObject(tooMany)
  })

  it('is not held to what a process that died has named and never opened', async () => {
    const parts = desk({ maxOpenAsksOfServer: 1 })
    const member = memberOf('call-x', { instance: 'i' })
    await store.put(`desk/of/${tokenOfServer('shop')}`, member, clock.now())
    await expect(open(parts, 'a')).rejects.toMatchObject(tooMany)
    await clock.advance(staleMs + 1)
    await expect(open(parts, 'a')).rejects.toMatchObject(tooMany)
    await parts.index.drained()
    await open(parts, 'a')
  })
})

it('a desk has so many asks open in all, those of turns among them', async () => {
  const parts = desk({ maxOpenAsksInAll: 2 })
  await open(parts, 'a', { isRemote: false })
  await open(parts, 'b', { server: 'other' })
  await expect(open(parts, 'c', { isRemote: false })).rejects.toMatchObject(tooMany)
})

it('an ask has so many bytes, and so has what is open in a session', async () => {
  const parts = desk({ maxAskBytes: 1_000, maxSessionBytes: 2_500 })
  await expect(open(parts, 'a', { message: 'x'.repeat(1_000) })).rejects.toMatchObject({ code: 'too-large' })
  // Two bytes each.
  await expect(open(parts, 'a', { message: 'é'.repeat(500) })).rejects.toMatchObject({ code: 'too-large' })
  const message = 'x'.repeat(800)
  await open(parts, 'a', { call: 'c', message })
  await open(parts, 'b', { call: 'c', message })
  await expect(open(parts, 'd', { call: 'c', message })).rejects.toMatchObject(tooMany)
  await open(parts, 'd', { call: 'another', message })
})

import { formOf } from '@beckon/core'
import { expect, it, onTestFinished } from 'vitest'
import { createParts } from '../desk-parts.js'
import { openOnDesk } from '../turns/open-ask.js'

const form = formOf({ type: 'object', properties: { search: { type: 'string' } } })
const ana = { principal: 'ana', device: 'd' }

/** An ask for ana whose page may search by `h`, and what the server was asked. */
async function setUp({ find = 'h' as string | null } = {}) {
  const parts = createParts({})
  onTestFinished(() => parts.close())
  const searches: string[][] = []
  const widget = { name: 'list', html: '<p>', ...(find !== null && { find }) }
  const opened = await openOnDesk(
    parts.turns,
    [
      { server: 'shop', call: 'c', principal: 'ana' },
      { id: 'city', message: 'Where to?', form, widget },
      { expiresAt: Date.now() + 60_000 },
    ],
    { linkTo: (session, ask) => `${session} ${ask}`, identifiesPeople: true, widgets: parts.widgets },
  )
  const [session = '', ask = ''] = opened.link.split(' ')
  const look = async (handle: string, search: string) => {
    searches.push([handle, search])
    if (handle !== 'h') throw new Error('Not here.')
    return Array.from({ length: 300 }, (_, at) => ({ value: `${search}${at}`, label: `${search}${at}` }))
  }
  return { ...parts, opened, at: { session, ask }, searches, look }
}

it('finds for who may answer an open ask, a bounded number by a bounded text', async () => {
  const { finders, at, searches, look } = await setUp()
  expect(await finders.find(ana, { ...at, search: 'a' })).toBeUndefined()
  finders.add('shop', look)
  finders.add('bank', look)
  expect(await finders.find(ana, { ...at, search: 'x'.repeat(1_000) })).toHaveLength(100)
  expect(searches).toEqual([['h', 'x'.repeat(200)]])
})

it.each([
  ['for somebody else', { principal: 'eve', device: 'd' }, {}],
  ['for an auditor', { principal: 'ana', device: 'd', role: 'auditor' as const }, {}],
  ['in another session', ana, { session: 'call:other' }],
  ['for an ask that is not there', ana, { ask: 'none' }],
])('finds nothing %s, and asks no server', async (_what, viewer, other) => {
  const { finders, at, searches, look } = await setUp()
  finders.add('shop', look)
  expect(await finders.find(viewer, { ...at, ...other, search: 'a' })).toBeUndefined()
  expect(searches).toEqual([])
})

it('finds nothing for an ask that offers nothing, has ended, or whose server is gone', async () => {
  const plain = await setUp({ find: null })
  plain.finders.add('shop', plain.look)
  expect(await plain.finders.find(ana, { ...plain.at, search: 'a' })).toBeUndefined()
  expect(plain.searches).toEqual([])
  const { finders, at, opened, searches, look } = await setUp()
  const stop = finders.add('shop', look)
  stop()
  expect(await finders.find(ana, { ...at, search: 'a' })).toBeUndefined()
  finders.add('shop', look)
  await opened.withdraw()
  expect(await finders.find(ana, { ...at, search: 'a' })).toBeUndefined()
  expect(searches).toEqual([])
})

it('has so many searches of one person wait at a time', async () => {
  const { finders, at } = await setUp()
  let answer: () => void = () => {}
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  finders.add('shop', async () => {
    await held
    return []
  })
  const searches = Array.from({ length: 10 }, () => finders.find(ana, { ...at, search: 'a' }))
  answer()
  expect((await Promise.all(searches)).filter(found => found === undefined)).toHaveLength(2)
  expect(await finders.find(ana, { ...at, search: 'a' })).toEqual([])
})

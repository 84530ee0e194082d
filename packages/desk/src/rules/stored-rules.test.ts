import { memoryStore } from 'beckon'
import { createTestClock } from 'beckon/test'
import { afterEach, expect, it } from 'vitest'
import type { Rule } from './rule.js'
import { StoredRules } from './stored-rules.js'

const clock = createTestClock()
const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

const rule = (id: string, more: Partial<Rule> = {}): Rule => ({ id, effect: 'deny', match: { tool: id }, ...more })

it('keeps all rules over its snapshots, for a node that comes later', async () => {
  const store = memoryStore({ clock })
  const writer = new StoredRules({ store, clock })
  open.push(store, writer)
  for (let at = 0; at < 450; at++) await writer.add(rule(`r${at}`), () => undefined)
  for (let at = 0; at < 100; at++) await writer.remove(`r${at}`, () => true)
  const later = new StoredRules({ store, clock })
  open.push(later)
  const known = await later.known()
  expect([...known.keys()]).toEqual(Array.from({ length: 350 }, (_, at) => `r${at + 100}`))
  expect(known.get('r449')).toEqual(rule('r449'))
})

it('lets go of people’s own rules that are over, with the next that is made', async () => {
  const store = memoryStore({ clock })
  const rules = new StoredRules({ store, clock })
  open.push(store, rules)
  await rules.add(rule('mine', { owner: 'ann', until: clock.now() + 1_000 }), () => undefined)
  await rules.add(rule('all', { until: clock.now() + 1_000 }), () => undefined)
  await clock.advance(1_000)
  const told: string[][] = []
  await rules.add(rule('next', { owner: 'bob' }), known => void told.push(known.map(({ id }) => id)))
  expect(told.at(-1)).toEqual(['all'])
  expect([...(await rules.read()).keys()]).toEqual(['all', 'next'])
})

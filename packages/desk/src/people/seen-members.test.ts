import { createTestClock } from 'beckon/test'
import { expect, it } from 'vitest'
import { SeenMembers } from './seen-members.js'

const finance = (principal: string) => ({ principal, groups: ['finance'] })

it('names nobody any more who was erased at another node', async () => {
  const clock = createTestClock()
  let there = ['ada', 'ben'].map(finance)
  const people = { list: async () => ({ people: there.map(person => ({ ...person, seenAt: 0 })) }) }
  const members = new SeenMembers({ people, clock, isShared: true })
  await members.load()
  members.note(finance('cleo'))
  expect(members.of('finance').people.slice().sort()).toEqual(['ada', 'ben', 'cleo'])
  there = [finance('ben'), finance('cleo')]
  await clock.advance(5 * 60_000)
  expect(members.of('finance').people.slice().sort()).toEqual(['ben', 'cleo'])
  members.close()
})

it('still names who comes in while it reads who was there', async () => {
  let read = (_: { people: [] }): void => {}
  const people = { list: () => new Promise<{ people: [] }>(resolve => (read = resolve)) }
  const members = new SeenMembers({ people, clock: createTestClock(), isShared: false })
  const loaded = members.load()
  members.note(finance('ada'))
  read({ people: [] })
  await loaded
  expect(members.of('finance').people).toEqual(['ada'])
})

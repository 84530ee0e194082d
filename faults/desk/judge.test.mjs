import { expect, it } from 'vitest'
import { disagreements, judgeLogs, unlisted } from './judge.mjs'

/** @param {string | undefined} ending @param {{ principals: string[] }} [audience] */
const ask = (ending, audience) => ({ id: 'a', instance: 'i', audience, askedAt: 1, expiresAt: 9, ending })
/** @param {ReturnType<typeof ask>} one */
const records = one => new Map([['s', { asks: new Map([['a', one]]), problems: [], length: 1, story: '' }]])
/** @param {object} about */
const person = about =>
  /** @type {import('./person.mjs').Person} */ (
    /** @type {unknown} */ ({ device: { name: 'ada-1' }, node: 0, confirmed: [], asks: [], ...about })
  )
const spec = /** @type {import('./node.mjs').AskSpec} */ ({ id: 'a', session: 's' })
/** @param {string} ending */
const told = ending => ({ spec, since: 0, isOpen: false, outcomes: [{ ending, at: 10, node: 1 }], tries: [] })

it('finds an answer that was confirmed and is not the outcome, and a program that got another', () => {
  const people = [person({ confirmed: [{ session: 's', ask: 'a', ending: 'accept ada', at: 10 }] })]
  const known = { people, asks: [told('accept ada')], cuts: new Map() }
  expect(judgeLogs(records(ask('accept ada')), known)).toEqual({ losses: [], confirmed: 1, found: 1 })
  expect(judgeLogs(records(ask('accept bob')), known)).toEqual({
    losses: [
      's: a was told to be accept ada to ada-1, and is accept bob',
      's: a was accept ada to its program on node 1, and is accept bob',
    ],
    confirmed: 1,
    found: 0,
  })
  // What was told before the end of the log was taken away is no promise any more.
  const cut = judgeLogs(records(ask('accept bob')), { ...known, cuts: new Map([['s', 20]]) })
  expect(cut).toEqual({ losses: [], confirmed: 0, found: 0 })
})

it('finds a device that has another ending, or an ask that is not there', () => {
  const request = { id: 'a', answers: { value: { value: { value: 'ada' } } } }
  const people = [person({ asks: [{ session: 's', request, ending: { response: 'accept' } }] })]
  expect(disagreements(records(ask('accept ada')), people)).toEqual([])
  expect(disagreements(records(ask(undefined)), people)).toEqual([
    's: to ada-1 on node 0 a is accept ada, and open in the log',
  ])
})

it('finds what is open for someone, and in no list of theirs', () => {
  const open = records(ask(undefined, { principals: ['ada'] }))
  expect(unlisted(open, 'a-token-of-ada', new Set(['a']))).toEqual([])
  expect(unlisted(open, 'a-token-of-cyd', new Set())).toEqual([])
  expect(unlisted(open, 'a-token-of-ada', new Set())).toHaveLength(1)
})

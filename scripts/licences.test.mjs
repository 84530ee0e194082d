import { expect, it } from 'vitest'
import { dependenciesIn, licenceProblems } from './licences.mjs'

/** @param {string} name @param {string} [id] */
const component = (name, id) => ({ name, version: '1.0.0', licenses: id === undefined ? [] : [{ license: { id } }] })

it('allows licences that ask for no more than their notice', () => {
  expect(
    licenceProblems([component('a', 'MIT'), component('b', 'Apache-2.0'), component('web-push', 'MPL-2.0')]),
  ).toEqual([])
})

it('names what is under another licence, and what has none', () => {
  const expression = { name: 'c', version: '2.0.0', licenses: [{ expression: '(MIT OR GPL-3.0)' }] }
  expect(
    licenceProblems([component('a', 'GPL-3.0-only'), component('b'), component('d', 'MPL-2.0'), expression]),
  ).toEqual(['a 1.0.0: GPL-3.0-only', 'b 1.0.0: no licence', 'd 1.0.0: MPL-2.0', 'c 2.0.0: (MIT OR GPL-3.0)'])
})

it('leaves out what is ours', () => {
  const hashes = [{ alg: 'SHA-512', content: 'ab' }]
  expect(dependenciesIn([component('@beckon/core'), { ...component('ws'), hashes }])).toMatchObject([{ name: 'ws' }])
})

import { expect, it } from 'vitest'
import { endingOf, endingSeen, recordOf } from './record.mjs'

/** @param {string} id */
const asked = id => ({
  e: { type: 'asked', at: 1, request: { id, message: 'Sure?' }, instance: `i-${id}`, policy: { expiresAt: 9 } },
})
/** @param {string} words */
const answers = words => ({ value: { state: 'submitted', value: { kind: 'text', value: words } } })
/** @param {string} ask @param {string} words */
const accepted = (ask, words) => ({ e: { type: 'askEnded', ask, response: 'accept', answers: answers(words) } })

/** @param {import('./record.mjs').SessionRecord} record */
const endings = ({ asks }) => Array.from(asks.values(), ({ id, ending }) => [id, ending])

it('knows how each ask of a log ended, and which are open', () => {
  const record = recordOf([
    { e: { type: 'created' } },
    ...['a', 'b', 'c', 'd'].map(asked),
    accepted('a', 'ada/1'),
    { e: { type: 'askEnded', ask: 'b', response: 'decline', reason: 'bob/2' } },
    { e: { type: 'askEnded', ask: 'c', response: 'cancel', isExpired: true } },
  ])
  expect(endings(record)).toEqual([
    ['a', 'accept ada/1'],
    ['b', 'decline bob/2'],
    ['c', 'expired'],
    ['d', undefined],
  ])
  expect(record.problems).toEqual([])
  expect(endings(recordOf([asked('a'), { e: { type: 'turnEnded' } }]))).toEqual([['a', 'cancel']])
})

it('finds an ask that was put twice, or ended twice', () => {
  const lines = [asked('a'), asked('a'), accepted('a', 'ada/1'), accepted('a', 'bob/1')]
  expect(recordOf(lines).problems).toEqual(['a was asked twice', 'a ended twice: accept ada/1, and accept bob/1'])
})

it('begins with a snapshot where the rest is gone, and compares it where it is not', () => {
  const ask = { id: 'a', instance: 'i', askedAt: 1, policy: { expiresAt: 9 }, drafts: answers('ada/1') }
  const snapshot = [{ s: { id: 's' } }, { s: [{ ...ask, ending: { response: 'accept', at: 2 } }] }]
  expect(endings(recordOf(snapshot))).toEqual([['a', 'accept ada/1']])
  expect(recordOf([asked('a'), accepted('a', 'ada/1'), ...snapshot]).problems).toEqual([])
  expect(recordOf([asked('a'), ...snapshot]).problems).toEqual([
    'a is undefined in the log, and accept ada/1 in its snapshot',
  ])
})

it('says the same of what a program got, and of what a device shows', () => {
  expect(endingOf({ action: 'accept', content: { value: 'ada/1' } })).toBe('accept ada/1')
  expect(endingOf({ action: 'decline', reason: 'bob/2' })).toBe('decline bob/2')
  expect(endingOf({ action: 'cancel', why: 'expired' })).toBe('expired')
  expect(endingOf({ action: 'cancel' })).toBe('cancel')
  expect(endingSeen({ request: { answers: answers('ada/1') }, ending: { response: 'accept' } })).toBe('accept ada/1')
  expect(endingSeen({ request: {}, ending: { response: 'cancel', reason: 'expired' } })).toBe('expired')
  expect(endingSeen({ request: {} })).toBeUndefined()
})

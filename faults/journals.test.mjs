import { describe, expect, it } from 'vitest'
import { compare, journalOfRounds, journalOfTask, tagOf } from './journals.mjs'

/** @typedef {import('./journals.mjs').Line} Line */

const idOfFirst = 'ask-1-aaaaaa'
const idOfSure = 'ask-2-bbbbbb'

/** A call that was asked twice, and answered both. */
const call = {
  tag: 'call7',
  asked: new Map([
    [idOfFirst, 'first'],
    [idOfSure, 'sure'],
  ]),
  given: new Map([
    ['first', 'call7/first'],
    ['sure', 'call7/sure'],
  ]),
  isLeft: false,
  hasEnded: true,
}

/** @param {object} content */
const accept = content => ({ kind: 'outcome', outcome: { action: 'accept', content } })
const first = accept({ value: 'call7/first' })
const sure = accept({})
const expired = { kind: 'expired' }

/**
 * Two ways to keep the same call: each makes the lines that say that something happened.
 * @typedef {object} Format
 * @property {(lines: readonly Line[]) => import('./journals.mjs').Journal} read
 * @property {(id: string, reply: object) => Line} answered
 * @property {(name: string) => Line} step
 */

/** @type {Record<string, Format>} */
const formats = {
  rounds: {
    read: journalOfRounds,
    answered(id, reply) {
      const [, position = '', digest = ''] = id.split('-')
      const entry = { kind: 'ask', digest: `${digest}ffff`, nth: 0, position: Number(position) - 1, reply }
      return { kind: 'round', round: Number(position), answers: JSON.stringify(reply), entries: [entry] }
    },
    step: name => ({ kind: 'step', entry: { name, nth: 0 } }),
  },
  'a task': {
    read: journalOfTask,
    answered: (id, reply) => ({ kind: 'answered', id, reply }),
    step: name => ({ kind: 'step', entry: { name, nth: 0 } }),
  },
}

describe.each(Object.entries(formats))('the record of a call, in %s', (_, { read, answered, step }) => {
  const whole = [answered(idOfFirst, first), step('one'), answered(idOfSure, sure), step('two')]
  const lossesOf = (/** @type {Line[]} */ lines, known = call) => compare(known, read(lines)).losses

  it('is good when every answer is there once', () => {
    expect(compare(call, read(whole))).toEqual({ found: 2, losses: [] })
  })

  it('is found out when an answer is missing', () => {
    expect(compare(call, read(whole.slice(1)))).toEqual({
      found: 1,
      losses: ['call7: the answer to first is in its record 0 times'],
    })
  })

  it('is found out when there is another answer than the one that was accepted', () => {
    const lines = [answered(idOfFirst, accept({ value: 'call7/first!' })), ...whole.slice(1)]
    expect(lossesOf(lines)).toEqual(['call7: the record has another answer to first'])
  })

  it('is found out when an answer is under another question', () => {
    const lines = [answered(idOfFirst, sure), step('one'), answered(idOfSure, first), step('two')]
    expect(lossesOf(lines)).toContain('call7: the answer to sure was given to another question')
  })

  it('is found out when an answer is from another call', () => {
    const lines = [answered(idOfFirst, accept({ value: 'call8/first' })), ...whole.slice(1)]
    expect(lossesOf(lines)).toContain('call7: the answer to first was given to another question')
  })

  it('is found out when something was answered that nobody asked', () => {
    const lines = [...whole, answered('ask-9-cccccc', accept({ value: 'call7/first' }))]
    expect(lossesOf(lines)).toEqual(['call7: an answer is to ask-9-cccccc, which was not asked'])
  })

  it('is found out when a step is there twice, or is not there', () => {
    expect(lossesOf([...whole, step('one')])).toEqual(['call7: the step one 0 is in its record 2 times'])
    expect(lossesOf(whole.slice(0, -1))).toEqual(['call7: 1 of its 2 steps are in its record'])
  })

  it('is found out when an ask expired that was answered in time', () => {
    const lines = [...whole.slice(0, 2), answered(idOfSure, expired), step('two')]
    expect(lossesOf(lines)).toContain('call7: sure expired too early')
    const left = { ...call, isLeft: true, given: new Map([['first', 'call7/first']]) }
    expect(lossesOf(lines, left)).toEqual([])
  })
})

describe('the record of a call', () => {
  it('is missed when there is none', () => {
    expect(compare(call, undefined).losses).toEqual(['call7: nothing of its 2 answers is kept'])
  })

  it('has an answer twice when two rounds have it', () => {
    const { answered } = /** @type {Format} */ (formats.rounds)
    const again = { ...answered(idOfFirst, first), round: 2 }
    expect(compare(call, journalOfRounds([answered(idOfFirst, first), again])).losses).toContain(
      'call7: the answer to first is in its record 2 times',
    )
  })

  it('has an answer once when its round was claimed again, and the later one when it was opened in between', () => {
    const { answered } = /** @type {Format} */ (formats.rounds)
    const other = answered(idOfFirst, accept({ value: 'call7/first!' }))
    const line = answered(idOfFirst, first)
    expect(journalOfRounds([line, line]).answers).toHaveLength(1)
    const reopened = journalOfRounds([other, { kind: 'reopened', round: 1 }, line])
    expect([reopened.answers, reopened.problems]).toEqual([[{ id: idOfFirst, value: 'call7/first' }], []])
    expect(journalOfRounds([other, line]).problems).toEqual(['round 1 has two different answers'])
    expect(tagOf(reopened)).toBe('call7')
  })

  it('has one reply to a round', () => {
    const { answered } = /** @type {Format} */ (formats.rounds)
    const reply = { kind: 'reply', round: 1 }
    expect(journalOfRounds([answered(idOfFirst, first), reply, reply]).problems).toEqual(['round 1 has two replies'])
    expect(journalOfRounds([answered(idOfFirst, first), reply, answered(idOfFirst, first)]).problems).toEqual([
      'round 1 was taken again after its reply',
    ])
  })

  it('has an answer twice, and an end twice, when the log of a task has', () => {
    const { answered } = /** @type {Format} */ (formats['a task'])
    const lines = [answered(idOfFirst, first), answered(idOfFirst, first), { kind: 'ended' }, { kind: 'ended' }]
    const { losses } = compare(call, journalOfTask(lines))
    expect(losses).toContain('call7: the answer to first is in its record 2 times')
    expect(losses).toContain('call7: it ended 2 times')
  })
})

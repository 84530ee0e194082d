import { describe, expect, it } from 'vitest'
import { compare, journalOf } from './journals.mjs'

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

let appends = 0
/**
 * @param {Line['e']} e
 * @param {string} [w]
 * @returns {Line}
 */
const line = (e, w = `append${++appends}`) => ({ w, e })

/**
 * @param {string} id
 * @param {object} reply
 */
function entryOf(id, reply) {
  const [, position = '', digest = ''] = id.split('-')
  return { kind: 'ask', digest: `${digest}ffff`, nth: 0, position: Number(position) - 1, from: 0, reply, ask: id }
}

/** @param {string} name @param {string} [by] */
const step = (name, by) =>
  line({ kind: 'step', entry: { kind: 'step', name, nth: 0, result: { id: `${name} of call7`, ...(by && { by }) } } })
/** @param {string} id @param {string} [message] */
const asked = (id, message = `call7 ${call.asked.get(id)}`) =>
  line({ kind: 'asked', ask: { id, wire: 'tasks', ask: { kind: 'form', message } } })
/** @param {string} run @param {string} [w] */
const begun = (run = 'one', w) =>
  line({ kind: 'begun', record: { id: 'x', params: { arguments: { tag: 'call7' } } }, owner: { run }, entries: [] }, w)
/** @param {string} run @param {string} [w] */
const claimed = (run, w) => line({ kind: 'claimed', owner: { run } }, w)
const ended = line({ kind: 'ended', end: {} })

/**
 * An answer, in the round of its number.
 * @param {string} id
 * @param {object} reply
 * @param {Record<string, unknown>} [more]
 */
const inRound = (id, reply, more = {}) =>
  line({
    kind: 'answered',
    entries: [entryOf(id, reply)],
    round: Number(id.split('-')[1]),
    answers: JSON.stringify(reply),
    owner: { run: 'one' },
    ...more,
  })
/** @param {string} id @param {object} reply */
const answered = (id, reply) => line({ kind: 'answered', entries: [entryOf(id, reply)] })

/**
 * Two ways to answer a call: each makes the lines that say so.
 * @type {Record<string, { before: Line[], answer: (id: string, reply: object) => Line[] }>}
 */
const ways = {
  'in rounds': { before: [], answer: (id, reply) => [inRound(id, reply)] },
  'without its client': { before: [begun()], answer: (id, reply) => [asked(id), answered(id, reply)] },
}

describe.each(Object.entries(ways))('the log of a call that was answered %s', (_, { before, answer }) => {
  const answeredFirst = answer(idOfFirst, first)
  const answeredSure = answer(idOfSure, sure)
  const whole = [...before, ...answeredFirst, step('one'), ...answeredSure, step('two')]
  const lossesOf = (/** @type {Line[]} */ lines, known = call) => compare(known, journalOf(lines)).losses

  it('is good when every answer is there once', () => {
    expect(compare(call, journalOf(whole))).toEqual({ found: 2, losses: [] })
    expect(journalOf(whole)).toMatchObject({ tag: 'call7', hasEnded: false, stepIds: ['one of call7', 'two of call7'] })
  })

  it('is found out when an answer is missing', () => {
    const lines = whole.filter(each => each !== answeredFirst.at(-1))
    expect(compare(call, journalOf(lines))).toEqual({
      found: 1,
      losses: ['call7: the answer to first is in its record 0 times'],
    })
  })

  it('is found out when there is another answer than the one that was accepted', () => {
    const lines = [
      ...before,
      ...answer(idOfFirst, accept({ value: 'call7/first!' })),
      ...whole.slice(whole.indexOf(answeredFirst.at(-1) ?? ended) + 1),
    ]
    expect(lossesOf(lines)).toEqual(['call7: the record has another answer to first'])
  })

  it('is found out when an answer is under another question', () => {
    const lines = [...before, ...answer(idOfFirst, sure), step('one'), ...answer(idOfSure, first), step('two')]
    expect(lossesOf(lines)).toContain('call7: the answer to sure was given to another question')
  })

  it('is found out when an answer is from another call', () => {
    const lines = [...before, ...answer(idOfFirst, accept({ value: 'call8/first' })), step('one'), step('two')]
    expect(lossesOf(lines)).toContain('call7: the answer to first was given to another question')
  })

  it('is found out when something was answered that nobody asked', () => {
    const entry = { ...entryOf('ask-9-cccccc', first), ask: undefined }
    const lines = [...whole, line({ kind: 'answered', entries: [entry] })]
    expect(lossesOf(lines)).toEqual(['call7: an answer is to ask-9-cccccc, which was not asked'])
  })

  it('is found out when a step is there twice, or is not there', () => {
    expect(lossesOf([...whole, step('one')])).toEqual(['call7: the step one 0 is in its record 2 times'])
    expect(lossesOf(whole.slice(0, -1))).toEqual(['call7: 1 of its 2 steps are in its record'])
  })

  it('is found out when an ask expired that was answered in time', () => {
    const lines = [...before, ...answeredFirst, step('one'), ...answer(idOfSure, expired), step('two')]
    expect(lossesOf(lines)).toContain('call7: sure expired too early')
    const left = { ...call, isLeft: true, given: new Map([['first', 'call7/first']]) }
    expect(lossesOf(lines, left)).toEqual([])
  })

  it('is found out when something was written after its end', () => {
    expect(lossesOf([...whole, ended, line({ kind: 'delivered' })])).toEqual([])
    expect(lossesOf([...whole, ended, ended])).toEqual(['call7: it has "ended" after its end'])
    expect(lossesOf([...whole, ended, step('three')])).toEqual(['call7: it has "step" after its end'])
    expect(lossesOf([...whole.slice(0, -1), ended, step('two')])).toContain('call7: 1 of its 2 steps are in its record')
  })
})

describe('the log of a call', () => {
  it('is missed when there is none', () => {
    expect(compare(call, undefined).losses).toEqual(['call7: nothing of its 2 answers is kept'])
  })

  it('has an answer twice when two rounds have it', () => {
    const again = inRound(idOfFirst, first, { round: 2 })
    expect(compare(call, journalOf([inRound(idOfFirst, first), again])).losses).toContain(
      'call7: the answer to first is in its record 2 times',
    )
  })

  it('has the later answer of a round that was opened again in between', () => {
    const other = inRound(idOfFirst, accept({ value: 'call7/first!' }))
    const reopened = journalOf([other, line({ kind: 'reopened', round: 1 }), inRound(idOfFirst, first)])
    expect([reopened.answers, reopened.problems]).toEqual([[{ id: idOfFirst, value: 'call7/first' }], []])
    expect(journalOf([inRound(idOfFirst, first), inRound(idOfFirst, first)]).problems).toEqual([
      'round 1 was answered twice',
    ])
    expect(journalOf([other, inRound(idOfFirst, first)]).problems).toContain('round 1 has two different answers')
  })

  it('has one reply to a round, and none to one that nobody answered', () => {
    const round = inRound(idOfFirst, first)
    const reply = line({ kind: 'replied', round: 1, reply: {} })
    expect(journalOf([round, reply, reply]).problems).toEqual(['round 1 has two replies'])
    expect(journalOf([round, reply, round]).problems).toEqual(['round 1 was answered twice'])
    expect(journalOf([reply]).problems).toEqual(['round 1 has a reply and no answers'])
    expect(journalOf([round, reply, line({ kind: 'reopened', round: 1 })]).problems).toEqual([
      'round 1 was opened again after its reply',
    ])
  })

  it('takes the first answer to an ask that is in the log', () => {
    const other = answered(idOfFirst, accept({ value: 'call7/first!' }))
    const { answers } = journalOf([begun(), asked(idOfFirst), answered(idOfFirst, first), other])
    expect(answers).toEqual([{ id: idOfFirst, value: 'call7/first' }])
  })

  it('asks everything once, and of its own person', () => {
    expect(journalOf([begun(), asked(idOfFirst), asked(idOfFirst)]).problems).toEqual([
      'ask-1-aaaaaa was asked while it was open',
    ])
    expect(journalOf([begun(), asked(idOfFirst), answered(idOfFirst, first), asked(idOfFirst)]).problems).toEqual([
      'ask-1-aaaaaa was asked after its answer',
    ])
    const strange = journalOf([begun(), asked(idOfFirst, 'call8 first')])
    expect(compare({ ...call, given: new Map() }, strange).losses).toContain(
      'call7: it asked for another call: call8 first',
    )
  })

  it('knows what is open: not what expired, or could not be shown', () => {
    const { open } = journalOf([
      begun(),
      ...['ask-1-aaaaaa', 'ask-2-bbbbbb', 'ask-3-cccccc'].map(id => asked(id, 'call7 x')),
      line({ kind: 'moved', ask: 'ask-3-cccccc', wire: 'desk' }),
      line({ kind: 'expired', ask: 'ask-1-aaaaaa' }),
      line({ kind: 'withdrawn', ask: 'ask-2-bbbbbb' }),
    ])
    expect(open).toEqual(['ask-3-cccccc'])
    expect(journalOf([begun(), line({ kind: 'moved', ask: idOfFirst, wire: 'desk' })]).problems).toEqual([
      'ask-1-aaaaaa was moved, and is not open',
    ])
  })

  it('is begun once', () => {
    expect(journalOf([begun(), begun()]).problems).toEqual(['it was begun twice'])
  })

  it('is written by the process that has the call', () => {
    const lines = [begun('one', 'a1'), claimed('two', 'b1'), { ...step('one'), w: 'a2' }]
    const writers = new Map([
      ['a1', 'A'],
      ['a2', 'A'],
      ['b1', 'B'],
      ['b2', 'B'],
    ])
    expect(journalOf(lines, writers).problems).toEqual(['"step" was written by A, while the call was B\'s'])
    expect(journalOf([...lines.slice(0, 2), { ...step('one'), w: 'b2' }], writers).problems).toEqual([])
    const answeredThere = { ...inRound(idOfFirst, first, { owner: { run: 'two' } }), w: 'b1' }
    const reply = line({ kind: 'replied', round: 1, reply: {} }, 'a2')
    expect(journalOf([answeredThere, reply], writers).problems).toEqual([
      '"replied" was written by A, while the call was B\'s',
    ])
  })

  it('is written by the run that has the call, of several in one process', () => {
    const good = [begun('one'), step('one', 'entry1'), claimed('two'), step('two', 'entry2')]
    expect(journalOf(good).problems).toEqual([])
    expect(journalOf([...good, step('three', 'entry1')]).problems).toEqual([
      'the step three 0 was written by a second run',
    ])
    expect(journalOf([...good.slice(0, 3), step('two', 'entry1')]).problems).toEqual([
      'a run wrote the step two 0 that had lost the call',
    ])
  })
})

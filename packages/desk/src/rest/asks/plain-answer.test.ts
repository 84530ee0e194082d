import { checkAnswer, contentOf, type Question } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { plainAnswer } from './plain-answer.js'

const options = [
  { id: 'x', label: 'X' },
  { id: 'y', label: 'Y' },
]
const one: Question = { id: 'q', kind: 'single-select', message: 'Q', options }
const many: Question = { id: 'q', kind: 'multi-select', message: 'Q', options }
const free = <T extends Question>(question: T): T => ({ ...question, allowFreeformInput: true })

describe('plainAnswer', () => {
  it.each<[string, Question, unknown]>([
    ['a text', { id: 'q', kind: 'text', message: 'Q' }, 'hello'],
    ['a number', { id: 'q', kind: 'number', message: 'Q' }, 1.5],
    ['an integer', { id: 'q', kind: 'integer', message: 'Q' }, 2],
    ['a boolean', { id: 'q', kind: 'boolean', message: 'Q' }, false],
    ['an option', one, 'x'],
    ['an option where other words may be', free(one), 'x'],
    ['other words', free(one), 'mine'],
    ['options', many, ['x', 'y']],
    ['options and other words', free(many), ['x', 'mine']],
    ['nothing of many', free(many), []],
  ])('is taken, and gives the same value back: %s', (_what, question, value) => {
    const answer = plainAnswer(question, value)
    expect(checkAnswer(question, answer)).toBeUndefined()
    expect(contentOf([question], { q: answer as never })).toEqual({ q: value })
  })

  it.each<[string, Question, unknown]>([
    ['an option that is not there', one, 'z'],
    ['one that is not there among many', many, ['z']],
    ['a number among texts', free(many), [1]],
    ['a text for many', free(many), 'x'],
    ['many for one', free(one), ['x']],
    ['an object', free(one), { kind: 'selected', value: 'x' }],
  ])('leaves it to the check to refuse %s', (_what, question, value) => {
    expect(checkAnswer(question, plainAnswer(question, value))).toMatchObject({ code: expect.any(String) })
  })

  it('skips with null', () => {
    expect(plainAnswer(one, null)).toEqual({ state: 'skipped' })
  })
})

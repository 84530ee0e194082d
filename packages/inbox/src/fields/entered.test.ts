import type { Question } from '@beckon/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { controlFor } from './control.js'
import { choiceEntered, enteredFrom, read, textEntered } from './entered.js'
import { dateTimeFrom, localFrom } from './local-time.js'
import { draftOf, finalOf, problemOf } from './problem.js'

const options = ['a', 'b', 'c'].map(id => ({ id, label: id.toUpperCase() }))
const text: Question = { id: 'q', kind: 'text', message: '' }
const number: Question = { id: 'q', kind: 'number', message: '' }
const one: Question = { id: 'q', kind: 'single-select', message: '', options, allowFreeformInput: true }
const many: Question = { id: 'q', kind: 'multi-select', message: '', options, allowFreeformInput: true }
const yesNo: Question = { id: 'q', kind: 'boolean', message: '' }
const moment: Question = { id: 'q', kind: 'text', message: '', format: 'date-time' }

describe('what stands in a control', () => {
  it('comes back as it was entered, through a draft', () => {
    const cases: [Question, ReturnType<typeof textEntered>][] = [
      [text, textEntered('words')],
      [number, textEntered('1.5')],
      [yesNo, choiceEntered(['false'])],
      [one, choiceEntered(['b'])],
      [one, choiceEntered([], ['mine'])],
      [many, choiceEntered(['a', 'c'], ['mine', 'too'])],
      [moment, textEntered('2026-07-28T09:30')],
    ]
    for (const [question, entered] of cases) {
      expect(enteredFrom(question, draftOf(question, entered))).toEqual(entered)
      expect(problemOf(question, entered)).toBeUndefined()
    }
  })

  it('is the proposal of the question while there is no answer, and nothing once someone cleared it', () => {
    expect(enteredFrom({ ...text, defaultValue: 'x' }, undefined)).toEqual(textEntered('x'))
    expect(enteredFrom({ ...number, defaultValue: 0 }, undefined)).toEqual(textEntered('0'))
    expect(enteredFrom({ ...yesNo, defaultValue: false }, undefined)).toEqual(choiceEntered(['false']))
    const suggested = options.map(option => ({ ...option, recommended: option.id === 'b' }))
    expect(enteredFrom({ ...one, options: suggested }, undefined)).toEqual(choiceEntered(['b']))
    expect(enteredFrom({ ...many, options: suggested }, undefined)).toEqual(choiceEntered(['b']))
    expect(enteredFrom({ ...text, defaultValue: 'x' }, { state: 'skipped' })).toEqual(textEntered(''))
    expect(enteredFrom({ ...one, options: suggested }, { state: 'skipped' })).toEqual(choiceEntered([]))
  })

  it('shares no half number, and says what is wrong with it', () => {
    for (const half of ['1e', '-', 'one', '1,5']) {
      expect(draftOf(number, textEntered(half))).toBeUndefined()
      expect(problemOf(number, textEntered(half))).toEqual({ code: 'number-expected' })
    }
    expect(problemOf({ ...number, kind: 'integer' }, textEntered('1.5'))).toEqual({ code: 'integer-expected' })
  })

  it('reads a decimal comma where people write one', () => {
    expect(read(number, textEntered('1,5'), 'de')).toEqual({ kind: 'value', value: { kind: 'number', value: 1.5 } })
    expect(read(number, textEntered('1.5'), 'de')).toEqual({ kind: 'value', value: { kind: 'number', value: 1.5 } })
  })

  it('has no answer while an answer of one’s own has no words', () => {
    expect(read(one, choiceEntered([], ['']))).toEqual({ kind: 'nothing' })
    expect(problemOf({ ...one, required: true }, choiceEntered([], [' ']))).toEqual({ code: 'required' })
    expect(finalOf(many, choiceEntered([], ['']))).toEqual({ state: 'skipped' })
  })

  it('shares half an address as a draft, and does not send it', () => {
    const mail: Question = { ...text, format: 'email' }
    expect(draftOf(mail, textEntered('ana@'))).toMatchObject({ state: 'draft' })
    expect(problemOf(mail, textEntered('ana@'))).toEqual({ code: 'format', params: { format: 'email' } })
  })
})

describe('a date and time', () => {
  it('is the same moment in this device’s time', () => {
    const at = fc.date({
      min: new Date('1980-01-02T00:00:00Z'),
      max: new Date('2099-12-30T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(at, date => {
        const moment = new Date(Math.floor(date.getTime() / 1000) * 1000)
        const local = localFrom(moment.toISOString())
        const again = dateTimeFrom(local)
        // An hour that a clock shows twice a year stands for either.
        expect(localFrom(again)).toBe(local)
        expect(
          problemOf({ id: 'q', kind: 'text', message: '', format: 'date-time' }, textEntered(local)),
        ).toBeUndefined()
      }),
    )
  })

  it('is nothing when it is none', () => {
    expect(localFrom('2026-07-')).toBe('')
    expect(dateTimeFrom('soon')).toBe('soon')
  })
})

it('puts each kind of question with the control that fits', () => {
  const kindOf = (question: object): string => controlFor({ id: 'q', message: '', ...question } as Question).kind
  const several = (count: number) => Array.from({ length: count }, (_, id) => ({ id: String(id), label: '' }))
  expect(kindOf({ kind: 'single-select', options: several(6) })).toBe('radios')
  expect(kindOf({ kind: 'single-select', options: several(7) })).toBe('search')
  expect(kindOf({ kind: 'multi-select', options: several(9) })).toBe('checkboxes')
  expect(kindOf({ kind: 'text', max: 200 })).toBe('line')
  expect(kindOf({ kind: 'text', max: 201 })).toBe('lines')
  expect(controlFor({ id: 'q', message: '', kind: 'text', format: 'uri' })).toEqual({ kind: 'line', type: 'url' })
  const unbounded: Question = { id: 'q', message: '', kind: 'text', format: 'toString' }
  expect(controlFor(unbounded)).toEqual({ kind: 'line', type: 'text', canGrow: true })
  expect(controlFor(unbounded, 'one\ntwo')).toEqual({ kind: 'lines', rows: 3 })
})

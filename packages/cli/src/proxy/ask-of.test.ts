import { formOf, questionsOf } from '@beckon/core'
import { expect, it } from 'vitest'
import { askOf } from './ask-of.js'

const form = formOf({
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'In full', minLength: 2, maxLength: 9, default: 'Ada' },
    mail: { type: 'string', format: 'email' },
    height: { type: 'number', minimum: 0, maximum: 3 },
    seats: { type: 'integer', minimum: 1, default: 2 },
    window: { type: 'boolean', default: false },
    by: { type: 'string', oneOf: [{ const: 't', title: 'Train' }], default: 't' },
    colour: { type: 'string', enum: ['red', 'blue'] },
    extras: { type: 'array', items: { type: 'string', enum: ['lunch', 'wifi'] }, minItems: 1, default: ['wifi'] },
  },
  required: ['name', 'seats'],
})

it('makes a form of questions that asks the same questions', () => {
  const questions = questionsOf(form)
  const ask = askOf({ id: 'a', message: 'Tell us.', questions })
  if (ask.kind !== 'form') throw new Error(`It is a ${ask.kind}.`)
  expect(ask.message).toBe('Tell us.')
  // A desk checks the form as it would an author's.
  expect(questionsOf(formOf(ask.form as { type: 'object' }))).toEqual(questions)
})

it('tells confirmations and pages from forms', () => {
  expect(askOf({ id: 'a', message: 'Sure?' })).toEqual({ kind: 'confirm', message: 'Sure?' })
  const page = askOf({ id: 'a', message: 'Go.', url: 'https://shop.example/' })
  expect(page).toMatchObject({ kind: 'url', url: 'https://shop.example/' })
})

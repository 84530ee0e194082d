import { expect, it } from 'vitest'
import { checkKnown } from './known-options.js'

const known = { question: true, schema: true, timeoutMs: true, key: true, show: true }
const problemOf = (given: object, words?: Record<string, string>) => {
  try {
    checkKnown(given, known, 'It has an option', words)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

it('takes options that are known, also where they have no value', () => {
  expect(problemOf({ question: 'Go on?', schema: undefined })).toBeUndefined()
})

it.each([
  ['sheme', 'Write schema.'],
  ['qeustion', 'Write question.'],
  ['timeoutms', 'Write timeoutMs.'],
  ['timeoutMS', 'Write timeoutMs.'],
  ['shows', 'Write show.'],
  ['colour', 'Write one of question, schema, timeoutMs, key, show.'],
  ['constructor', 'Write one of '],
  ['message', 'Write question.'],
])('says of "%s": %s', (name, remedy) => {
  expect(problemOf({ [name]: 1 }, { message: 'question' })).toContain(
    `It has an option "${name}" that nobody reads. ${remedy}`,
  )
})

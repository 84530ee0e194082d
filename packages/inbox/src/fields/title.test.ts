import type { Question } from '@beckon/core'
import { expect, it } from 'vitest'
import { nameInWords, titleOf } from './title.js'

it.each([
  ['dueDate', 'Due date'],
  ['first_name', 'First name'],
  ['ship-to.city', 'Ship to city'],
  ['callbackURL', 'Callback URL'],
  ['HTTPPort', 'HTTP port'],
  ['on', 'On'],
  ['größe2Max', 'Größe2 max'],
  ['__', '__'],
])('writes the name %s as someone would', (name, words) => {
  expect(nameInWords(name)).toBe(words)
})

it('calls a question by its title, else by what describes it, with its name beside that, else by its name', () => {
  const question = (more: object): Question => ({ id: 'on', kind: 'text', message: '', ...more })
  expect(titleOf(question({ title: 'Departure', message: 'When you leave' }))).toEqual({
    text: 'Departure',
    isMessage: false,
  })
  expect(titleOf(question({ title: 'Departure', message: 'Departure' }))).toEqual({
    text: 'Departure',
    isMessage: true,
  })
  expect(titleOf(question({ title: 'on', message: 'The day of departure' }))).toEqual({
    text: 'The day of departure',
    name: 'on',
    isMessage: true,
  })
  const long = 'Words that go on. '.repeat(9)
  expect(titleOf(question({ title: 'on', message: long }))).toEqual({ text: 'On', isMessage: false })
  expect(titleOf(question({ title: 'on', message: 'on' }))).toEqual({ text: 'On', isMessage: true })
  expect(titleOf(question({}))).toEqual({ text: 'On', isMessage: true })
  const bare = { id: 'value', title: 'value', message: 'In euro' }
  expect(titleOf(question(bare))).toEqual({ text: 'In euro', isMessage: true })
})

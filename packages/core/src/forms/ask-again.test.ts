import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askAgain } from './ask-again.js'
import { formOf } from './form-of.js'
import { lowerForm } from './lower-form.js'

const form = formOf({
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 3, default: 'Ada' },
    age: { type: 'integer', minimum: 18 },
    agreed: { type: 'boolean', default: true },
    size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }] },
    tags: { type: 'array', items: { enum: ['p', 'q'] }, maxItems: 1 },
    tokenCount: { type: 'string', default: '100' },
  },
  required: ['name'],
})
const ask = { question: 'Who?', form }
const issues = [
  { path: ['name'], message: 'Enter at least 3 characters.' },
  { path: [], message: 'Not like this.' },
]

function startsWith(content: unknown, allow?: readonly string[]) {
  const { properties } = askAgain(ask, { content, issues, allow }).form
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, f]) => ('default' in f ? [[name, f.default]] : [])),
  )
}

describe('askAgain', () => {
  it('says why', () => {
    expect(askAgain(ask, { content: {}, issues }).question).toBe(
      'Who?\n\nThe last answer did not fit. name: Enter at least 3 characters. Not like this.',
    )
  })

  it('starts with what the person sent, also where it breaks a rule', () => {
    const sent = { name: 'x', age: 5, agreed: false, size: 's', tags: ['p', 'q'], tokenCount: '7' }
    expect(startsWith(sent)).toEqual(sent)
    expect(askAgain(ask, { content: sent, issues }).form.required).toEqual(['name'])
  })

  it('leaves empty what the person emptied', () => {
    expect(startsWith({ age: 20 })).toEqual({ age: 20 })
  })

  it('leaves a field as it was where what was sent has another shape', () => {
    expect(startsWith({ name: 1, age: '5', agreed: 'yes', size: 'xl', tags: 'p', tokenCount: null })).toEqual({
      name: 'Ada',
      agreed: true,
      tokenCount: '100',
    })
    expect(startsWith(undefined)).toEqual({ name: 'Ada', agreed: true, tokenCount: '100' })
  })

  it('never sends back what was typed into a field that looks like a secret', () => {
    expect(startsWith({ name: 'x', tokenCount: '7' }, ['tokenCount'])).toEqual({ name: 'x', tokenCount: '100' })
  })

  it('goes as far as a revision has defaults', () => {
    const again = askAgain(ask, { content: { name: 'x', agreed: false, size: 's', tags: ['q'] }, issues }).form
    expect(lowerForm(again, '2025-11-25')).toBe(again)
    const { properties } = lowerForm(again, '2025-06-18')
    expect(properties.name).not.toHaveProperty('default')
    expect(properties.size).not.toHaveProperty('default')
    expect(properties).toMatchObject({
      agreed: { default: false },
      'tags.p': { default: false },
      'tags.q': { default: true },
    })
  })

  it('takes anything', () => {
    const names = fc.constantFrom(...Object.keys(form.properties))
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.dictionary(names, fc.anything())), content => {
        askAgain(ask, { content, issues })
      }),
    )
  })
})

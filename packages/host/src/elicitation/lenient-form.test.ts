import { describe, expect, it } from 'vitest'
import { lenientForm } from './lenient-form.js'

const formWith = (property: unknown, required: string[] = []) =>
  lenientForm({ type: 'object', properties: { it: property }, required })

describe('lenientForm', () => {
  it.each([
    [
      'a rule that forms do not have',
      { type: 'string', pattern: '^x', minLength: 1 },
      { type: 'string', minLength: 1 },
    ],
    ['a format that forms do not have', { type: 'string', format: 'hostname' }, { type: 'string' }],
    ['a default that does not fit', { type: 'integer', default: 'one' }, { type: 'integer' }],
    [
      'a default that breaks a rule',
      { type: 'string', format: 'email', default: 'name@' },
      { type: 'string', format: 'email', default: 'name@' },
    ],
    ['a bound that is no number', { type: 'number', minimum: '1' }, { type: 'number' }],
    ['numbers to choose from', { type: 'integer', enum: [1, 2] }, { type: 'integer' }],
    ['a value that may be null', { type: ['string', 'null'], title: 'It' }, { type: 'string', title: 'It' }],
    ['a union of types', { anyOf: [{ type: 'null' }, { type: 'boolean' }] }, { type: 'boolean' }],
  ])('takes %s', (_, property, field) => {
    expect(formWith(property)).toEqual({
      form: { type: 'object', properties: { it: field }, required: [] },
      leftOut: [],
    })
  })

  it.each([
    ['an object', { type: 'object', properties: {} }],
    ['a list of anything', { type: 'array', items: { type: 'string' } }],
    ['nothing that is known', { description: 'Anything' }],
    ['no schema', 12],
    ['a secret by its words', { type: 'string', title: 'Password' }],
    ['a secret among types', { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'Your API key' }],
  ])('leaves out an optional property that is %s, and refuses a required one', (_, property) => {
    expect(formWith(property)).toEqual({ form: { type: 'object', properties: {}, required: [] }, leftOut: ['it'] })
    expect(() => formWith(property, ['it'])).toThrow('"it"')
  })

  it.each([undefined, null, 'text', [], {}, { properties: 1, required: 'it' }])(
    'takes %j as nothing to fill in',
    odd => {
      expect(lenientForm(odd)).toEqual({ form: { type: 'object', properties: {}, required: [] }, leftOut: [] })
    },
  )

  it('keeps a property of any name, and passes over names that are required and not there', () => {
    const properties = JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "boolean"}}')
    const { form } = lenientForm({ properties, required: ['constructor', 'missing', 7] })
    expect(Object.entries(form.properties)).toEqual([
      ['__proto__', { type: 'string' }],
      ['constructor', { type: 'boolean' }],
    ])
    expect(form.required).toEqual(['constructor'])
  })
})

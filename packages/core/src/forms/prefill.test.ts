import { expect, it } from 'vitest'
import { formOf } from './form-of.js'
import { prefill } from './prefill.js'

it('proposes the values that fit and changes nothing else', () => {
  const form = formOf({
    type: 'object',
    properties: { a: { type: 'string', default: 'x' }, b: { type: 'integer' }, c: { type: 'boolean' } },
  })
  expect(prefill(form, { a: 'y', b: 1.5, other: 1 })).toEqual({
    type: 'object',
    properties: { a: { type: 'string', default: 'y' }, b: { type: 'integer' }, c: { type: 'boolean' } },
  })
  expect(form.properties.a).toEqual({ type: 'string', default: 'x' })
})

it('proposes what breaks a rule, so that a person can mend it, and no option that does not exist', () => {
  const form = formOf({
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 3 },
      mail: { type: 'string', format: 'email' },
      age: { type: 'integer', minimum: 18 },
      size: { type: 'string', enum: ['s', 'm'] },
      tags: { type: 'array', items: { enum: ['p', 'q', 'r'] }, maxItems: 1 },
      more: { type: 'array', items: { enum: ['p'] } },
    },
  })
  const { properties } = prefill(form, { name: 'x', mail: 'a@', age: 5, size: 'xl', tags: ['q', 'z', 'p'], more: 'p' })
  expect(Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.default]))).toEqual({
    name: 'x',
    mail: 'a@',
    age: 5,
    size: undefined,
    tags: ['q', 'p'],
    more: undefined,
  })
})

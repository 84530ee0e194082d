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

import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentFor, forms } from '../../test/arbitraries.js'
import { checkContent } from './check-content.js'
import type { Field, Form } from './form.js'

const one = (field: Field): Form => ({ type: 'object', properties: { it: field }, required: ['it'] })
const messageFor = (field: Field, value: unknown) => checkContent(one(field), { it: value }).issues?.[0]?.message

describe('checkContent', () => {
  it('agrees with Ajv on hundreds of forms and thousands of values', () => {
    const ajv = new Ajv({ strict: false, validateSchema: false, ownProperties: true, strictNumbers: true })
    addFormats.default(ajv)
    let accepted = 0
    fc.assert(
      fc.property(
        // Ajv never looks at a property named __proto__, which has a test of its own, and does not require one without a name.
        forms
          .filter(form => !['__proto__', ''].some(name => Object.hasOwn(form.properties, name)))
          .chain(form => fc.tuple(fc.constant(form), fc.array(contentFor(form), { minLength: 16, maxLength: 16 }))),
        ([form, contents]) => {
          const validate = ajv.compile(form)
          ajv.removeSchema(form)
          for (const content of contents) {
            const { issues } = checkContent(form, content)
            expect(issues === undefined, JSON.stringify({ form, content })).toBe(validate(content))
            if (issues === undefined) accepted++
          }
        },
      ),
      { numRuns: 500 },
    )
    expect(accepted).toBeGreaterThan(500)
  }, 60_000)

  it('keeps what the form has and drops the rest', () => {
    const form: Form = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } }
    expect(checkContent(form, { a: 'x', c: 1 })).toEqual({ value: { a: 'x' } })
  })

  it('takes no answer from a prototype, and gives none to one', () => {
    const form: Form = {
      type: 'object',
      properties: Object.fromEntries([
        ['toString', { type: 'string' }],
        ['__proto__', { type: 'string' }],
      ]),
      required: ['toString'],
    }
    expect(checkContent(form, {})).toEqual({ issues: [{ path: ['toString'], message: 'An answer is required.' }] })
    const checked = checkContent(form, JSON.parse('{"toString":"a","__proto__":"b"}'))
    expect('value' in checked && Object.entries(checked.value)).toEqual([
      ['toString', 'a'],
      ['__proto__', 'b'],
    ])
  })

  it.each([null, undefined, 'text', 5, ['a']])('asks for the form when it gets %j', content => {
    expect(checkContent(one({ type: 'boolean' }), content)).toEqual({
      issues: [{ path: [], message: 'Fill in the form.' }],
    })
  })

  it.each<[Field, unknown, string]>([
    [{ type: 'string' }, 5, 'Enter a text.'],
    [{ type: 'string', minLength: 1 }, '', 'Enter at least 1 character.'],
    [{ type: 'string', minLength: 3 }, '👍👍', 'Enter at least 3 characters.'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'Enter at most 2 characters.'],
    [{ type: 'string', format: 'email' }, 'me', 'Enter an e-mail address, such as name@example.com.'],
    [{ type: 'number' }, '5', 'Enter a number.'],
    [{ type: 'number' }, Number.NaN, 'Enter a number.'],
    [{ type: 'integer' }, 1.5, 'Enter a whole number.'],
    [{ type: 'number', minimum: 2 }, 1, 'Enter 2 or more.'],
    [{ type: 'number', maximum: 2 }, 3, 'Enter 2 or less.'],
    [{ type: 'boolean' }, 'true', 'Answer yes or no.'],
    [{ type: 'string', enum: ['a'] }, 'b', 'Choose one of the options.'],
    [{ type: 'array', items: { type: 'string', enum: ['a'] } }, 'a', 'Choose from the options.'],
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }, ['b'], 'Choose from the options.'],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1 }, [], 'Choose at least 1 option.'],
    [
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 1 },
      ['a', 'b'],
      'Choose at most 1 option.',
    ],
  ])('says of %j and %j: %s', (field, value, message) => {
    expect(messageFor(field, value)).toBe(message)
  })
})

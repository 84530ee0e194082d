import { expect, it } from 'vitest'
import { withoutPatterns } from './without-patterns.js'

it('takes every pattern out of a schema, wherever schemas are in it', () => {
  const text = { type: 'string', pattern: '^(a+)+$' }
  const plain = { type: 'string' }
  const schemaOf = (leaf: object) => ({
    type: 'object',
    properties: { a: leaf, list: { type: 'array', items: leaf, prefixItems: [leaf, true] } },
    propertyNames: leaf,
    additionalProperties: leaf,
    anyOf: [{ not: leaf }, { if: leaf }],
    $defs: { d: leaf },
  })
  expect(withoutPatterns({ ...schemaOf(text), patternProperties: { '^(a+)+$': text } })).toEqual(schemaOf(plain))
})

it('leaves what is only called a pattern', () => {
  const schema = {
    type: 'object',
    properties: {
      pattern: { type: 'string' },
      patternProperties: { const: { pattern: 'x' } },
      e: { enum: [{ pattern: 1 }] },
    },
    required: ['pattern'],
  }
  expect(withoutPatterns(schema)).toEqual(schema)
})

import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { InvalidFormError, SensitiveFieldError } from '../errors/index.js'
import type { Field, Form } from './form.js'
import { formOf } from './form-of.js'
import type { AskSchema } from './schema.js'

const required = (properties: Record<string, Field>): Form => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const bare = (field: Field): Form => required({ value: field })
const fieldOf = (schema: z.ZodType): Field | undefined => formOf(z.object({ it: schema })).properties.it

describe('formOf a schema that describes itself', () => {
  it.each<[string, AskSchema]>([
    [
      'Zod',
      z.object({
        email: z.email(),
        age: z.int().min(18).max(130),
        ok: z.boolean(),
        size: z.enum(['s', 'm']),
        tags: z.array(z.enum(['x', 'y'])).min(1),
      }),
    ],
    [
      'Valibot',
      toStandardJsonSchema(
        v.object({
          email: v.pipe(v.string(), v.email()),
          age: v.pipe(v.number(), v.integer(), v.minValue(18), v.maxValue(130)),
          ok: v.boolean(),
          size: v.picklist(['s', 'm']),
          tags: v.pipe(v.array(v.picklist(['x', 'y'])), v.minLength(1)),
        }),
      ),
    ],
    [
      'ArkType',
      type({
        email: 'string.email',
        age: '18 <= number.integer <= 130',
        ok: 'boolean',
        size: "'s' | 'm'",
        tags: "('x' | 'y')[] >= 1",
      }),
    ],
  ])('is the same form from %s', (_library, schema) => {
    const { type: kind, properties, required: names } = formOf(schema)
    expect(kind).toBe('object')
    expect(properties).toEqual({
      email: { type: 'string', format: 'email' },
      age: { type: 'integer', minimum: 18, maximum: 130 },
      ok: { type: 'boolean' },
      size: { type: 'string', enum: expect.arrayContaining(['s', 'm']) },
      tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, minItems: 1 },
    })
    expect(names?.toSorted()).toEqual(['age', 'email', 'ok', 'size', 'tags'])
  })

  it.each<[string, z.ZodType, Field]>([
    [
      'titles and descriptions',
      z.string().meta({ title: 'T', description: 'D' }),
      { type: 'string', title: 'T', description: 'D' },
    ],
    ['lengths', z.string().min(1).max(9), { type: 'string', minLength: 1, maxLength: 9 }],
    ['formats', z.iso.datetime(), { type: 'string', format: 'date-time' }],
    ['whole numbers, without the bounds of a double', z.int(), { type: 'integer' }],
    ['a union of literals', z.union([z.literal('a'), z.literal('b')]), { type: 'string', enum: ['a', 'b'] }],
    [
      'a union of literals and enums',
      z.union([z.enum(['a', 'b']), z.literal('c')]),
      { type: 'string', enum: ['a', 'b', 'c'] },
    ],
    [
      'a union of titled literals',
      z.union([z.literal('a').meta({ title: 'A' }), z.literal('b')]),
      {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'b' },
        ],
      },
    ],
    [
      'a single literal, with the title of the field',
      z.literal('a').meta({ title: 'T' }),
      { type: 'string', enum: ['a'], title: 'T' },
    ],
    [
      'a list of titled literals',
      z.array(z.union([z.literal('a').meta({ title: 'A' })])).max(2),
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, maxItems: 2 },
    ],
    ['a pattern', z.string().regex(/^a/), { type: 'string' }],
    ['several patterns', z.string().regex(/^a/).regex(/b$/), { type: 'string' }],
    ['an exclusive bound and a multiple', z.number().gt(2).multipleOf(2), { type: 'number' }],
    ['a refinement and a transform', z.string().refine(Boolean).transform(Number), { type: 'string' }],
    ['another format', z.uuid(), { type: 'string' }],
    ['a choice of numbers', z.literal([1, 2]), { type: 'number' }],
    ['a literal boolean', z.literal(true), { type: 'boolean' }],
  ])('carries what it can of %s', (_what, schema, field) => {
    expect(fieldOf(schema)).toEqual(field)
  })

  it('keeps a default that fits, leaves out one that does not, and does not require the field', () => {
    const form = formOf(
      z.object({
        a: z.string().default('x'),
        b: z.array(z.enum(['p', 'q'])).default(['q']),
        c: z.enum(['p']).or(z.literal('zz')).default('zz'),
      }),
    )
    expect(form).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', default: 'x' },
        b: { type: 'array', items: { type: 'string', enum: ['p', 'q'] }, default: ['q'] },
        c: { type: 'string', enum: ['p', 'zz'], default: 'zz' },
      },
    })
    expect(formOf(z.object({ a: z.email().prefault('not an address') })).properties).toEqual({
      a: { type: 'string', format: 'email' },
    })
  })

  it.each<[string, AskSchema, Field]>([
    ['a string', z.email(), { type: 'string', format: 'email' }],
    ['a number', z.number().min(1), { type: 'number', minimum: 1 }],
    ['an enum', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['a union of literals', z.union([z.literal('a'), z.literal('b')]), { type: 'string', enum: ['a', 'b'] }],
    ['a list of choices', z.array(z.enum(['a'])), { type: 'array', items: { type: 'string', enum: ['a'] } }],
    ['an ArkType string', type('string.email'), { type: 'string', format: 'email' }],
  ])('asks for %s on its own', (_what, schema, field) => {
    expect(formOf(schema)).toEqual(bare(field))
  })

  it('is one text field for a validator that cannot describe itself', () => {
    expect(formOf(v.object({ a: v.string() }))).toEqual(required({ response: { type: 'string' } }))
  })

  it('takes jsonSchema in place of what the schema says', () => {
    const jsonSchema = {
      type: 'object',
      properties: { a: { type: 'string', title: 'A', pattern: 'x' } },
      required: ['a'],
    }
    expect(formOf(v.object({ a: v.string() }), { jsonSchema })).toEqual(required({ a: { type: 'string', title: 'A' } }))
    expect(formOf(z.object({ a: z.string() }), { jsonSchema: z.toJSONSchema(z.object({ a: z.string() })) })).toEqual(
      required({ a: { type: 'string' } }),
    )
  })

  it.each([{ type: 'string' }, { enum: ['a'] }, {}])(
    'refuses %j as jsonSchema, which is not that of an object',
    one => {
      expect(() => formOf(z.object({ a: z.string() }), { jsonSchema: one })).toThrow(
        /`jsonSchema` is not that of an object/,
      )
    },
  )

  it('works a schema out once, and lets nobody change the result', () => {
    const schema = z.object({ a: z.enum(['x']) })
    const form = formOf(schema)
    expect(formOf(schema)).toBe(form)
    expect(() => Object.assign(form.properties, { b: {} })).toThrow(TypeError)
    expect(Object.isFrozen(schema)).toBe(false)
  })

  it('is one and the same for choices that say the same, and another for others', () => {
    const form = formOf(['red', 'green'])
    expect(formOf(['red', 'green'])).toBe(form)
    expect(formOf(['red,green'])).not.toEqual(form)
    expect(formOf([['red', 'green']])).not.toEqual(form)
    for (let index = 0; index < 1_000; index++) formOf(['red', `green ${index}`])
    expect(formOf(['red', 'green'])).toEqual(form)
  })

  it('leaves the lists of a caller unfrozen', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string', enum: ['x'], enumNames: ['X'] },
        b: { type: 'array', items: { enum: ['x'] }, default: ['x'] },
      },
    }
    formOf(schema)
    expect(
      Object.isFrozen(schema.properties.a.enum) ||
        Object.isFrozen(schema.properties.a.enumNames) ||
        Object.isFrozen(schema.properties.b.default),
    ).toBe(false)
  })
})

describe('formOf a shorthand', () => {
  it.each<[AskSchema, Field]>([
    [String, { type: 'string' }],
    [Number, { type: 'number' }],
    [Boolean, { type: 'boolean' }],
    [['red', 'green'], { type: 'string', enum: ['red', 'green'] }],
    [[['red', 'green']], { type: 'array', items: { type: 'string', enum: ['red', 'green'] } }],
    [
      { low: 'Low priority', type: 'A type' },
      {
        type: 'string',
        oneOf: [
          { const: 'low', title: 'Low priority' },
          { const: 'type', title: 'A type' },
        ],
      },
    ],
    [{ type: 'string' }, { type: 'string' }],
    [
      { type: 'string', title: 'Name' },
      { type: 'string', title: 'Name' },
    ],
  ])('%j', (schema, field) => {
    expect(formOf(schema)).toEqual(bare(field))
  })

  it.each<[string, unknown]>([
    ['an empty list', []],
    ['a list of lists', [['a'], ['b']]],
    ['a list of numbers', [1, 2]],
    ['another function', Date],
    ['nothing', undefined],
    ['a text', 'string'],
  ])('refuses %s', (_what, schema) => {
    expect(() => formOf(schema as AskSchema)).toThrow(InvalidFormError)
  })
})

describe('formOf a JSON Schema', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    title: 'Order',
    properties: {
      size: { type: 'string', enum: ['s'], enumNames: ['Small'], default: 's', 'x-order': 1 },
      count: { type: 'integer', minimum: 1, examples: [2] },
      when: { type: 'string', format: 'date' },
      level: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      only: { const: 'a' },
      tags: { type: 'array', items: { type: 'string', enum: ['a'] }, maxItems: 2 },
      names: { type: 'string', enum: ['a', 'b'], enumNames: ['A'] },
    },
    required: ['size', 'size'],
    additionalProperties: false,
  }

  it('keeps it, less what says nothing', () => {
    expect(formOf(schema)).toEqual({
      type: 'object',
      properties: {
        size: { type: 'string', enum: ['s'], enumNames: ['Small'], default: 's' },
        count: { type: 'integer', minimum: 1 },
        when: { type: 'string', format: 'date' },
        level: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
        only: { type: 'string', enum: ['a'] },
        tags: { type: 'array', items: { type: 'string', enum: ['a'] }, maxItems: 2 },
        names: { type: 'string', enum: ['a', 'b'] },
      },
      required: ['size'],
    })
  })

  it('may be empty, which is a confirm', () => {
    expect(formOf({ type: 'object', properties: {}, required: [] })).toEqual({ type: 'object', properties: {} })
    expect(formOf({ type: 'object' })).toEqual({ type: 'object', properties: {} })
  })

  it('keeps a property named __proto__ a property', () => {
    const form = formOf(
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
    )
    expect(Object.keys(form.properties)).toEqual(['__proto__'])
    expect(form.required).toEqual(['__proto__'])
  })

  it.each<[string, object]>([
    ['pattern', { type: 'string', pattern: 'a' }],
    ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 1 }],
    ['uniqueItems', { type: 'array', items: { enum: ['a'] }, uniqueItems: true }],
    ['enum', { type: 'number', enum: [1, 2] }],
    ['const', { type: 'boolean', const: true }],
    ['not', { type: 'string', not: { const: 'a' } }],
    ['anyOf', { type: 'string', anyOf: [{ minLength: 2 }] }],
    ['minLength', { type: 'string', enum: ['a'], minLength: 1 }],
  ])('refuses the rule %s, which nothing would enforce', (rule, property) => {
    expect(() => formOf({ type: 'object', properties: { it: property } })).toThrow(
      expect.objectContaining({ property: 'it', reason: expect.stringContaining(`"${rule}"`) }),
    )
  })

  it.each<[string, object]>([
    ['the format', { type: 'string', format: 'uuid' }],
    ['its minLength is not a number', { type: 'string', minLength: '1' }],
    ['its default', { type: 'string', enum: ['a'], default: 'b' }],
    ['no choices', { type: 'string', enum: [] }],
    ['a choice twice', { type: 'string', enum: ['a', 'a'] }],
  ])('refuses %s', (reason, property) => {
    expect(() => formOf({ type: 'object', properties: { it: property } })).toThrow(
      expect.objectContaining({ property: 'it', reason: expect.stringContaining(reason) }),
    )
  })

  it('refuses a rule on the whole, and required fields that are not there', () => {
    expect(() => formOf({ type: 'object', properties: {}, minProperties: 1 })).toThrow(/"minProperties"/)
    expect(() => formOf({ type: 'object', properties: {}, required: ['a'] })).toThrow(/not a property/)
    expect(() => formOf({ type: 'object', properties: {}, required: 'a' })).toThrow(/not a property/)
  })
})

describe('a shape that no form can carry', () => {
  it.each<[string, AskSchema, string | undefined, RegExp]>([
    ['nesting', z.object({ it: z.object({ a: z.string() }) }), 'it', /is an object.*fields of their own/],
    ['a list of texts', z.object({ it: z.array(z.string()) }), 'it', /list of something other than choices/],
    ['a list of objects', z.object({ it: z.array(z.object({})) }), 'it', /list of something other than choices/],
    [
      'a list of anything',
      { type: 'object', properties: { it: { type: 'array' } } },
      'it',
      /list of something other than choices/,
    ],
    [
      'a list of no choices',
      { type: 'object', properties: { it: { type: 'array', items: { enum: [] } } } },
      'it',
      /no choices/,
    ],
    ['a nullable', z.object({ it: z.string().nullable() }), 'it', /may be null.*optional/],
    ['a nullable of Valibot', toStandardJsonSchema(v.object({ it: v.nullable(v.string()) })), 'it', /may be null/],
    ['null', z.object({ it: z.null() }), 'it', /may be null/],
    ['a union of types', z.object({ it: z.union([z.string(), z.number()]) }), 'it', /union of types/],
    ['a list of types', { type: 'object', properties: { it: { type: ['string', 'number'] } } }, 'it', /union of types/],
    ['mixed choices', z.object({ it: z.literal(['a', 1]) }), 'it', /not all texts.*strings/],
    ['a mixed union', z.object({ it: z.union([z.literal('a'), z.boolean()]) }), 'it', /union of types/],
    [
      'a union with something odd',
      { type: 'object', properties: { it: { oneOf: [true, { const: 'a' }] } } },
      'it',
      /union of types/,
    ],
    ['a $ref', z.object({ it: z.string().meta({ id: 'beckon-test-ref' }) }), 'it', /\$ref.*in place/],
    ['no type', z.object({ it: z.any() }), 'it', /no type/],
    ['a date object of ArkType', type({ it: 'Date' }), 'it', /no type/],
    ['a date object', z.object({ it: z.date() }), 'it', /no type/],
    ['true', { type: 'object', properties: { it: true } }, 'it', /no type/],
    [
      'a union at the top',
      z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]),
      undefined,
      /oneOf at the top/,
    ],
    ['allOf at the top', { type: 'object', properties: {}, allOf: [] }, undefined, /allOf at the top/],
    ['a record', z.record(z.string(), z.string()), undefined, /not known beforehand/],
    ['a bare date', z.date(), undefined, /no type/],
    ['a bare list of texts', z.array(z.string()), undefined, /something other than choices/],
  ])('refuses %s', (_what, schema, property, message) => {
    try {
      formOf(schema)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidFormError)
      expect(error).toMatchObject({
        kind: 'InvalidForm',
        code: -32602,
        property,
        message: expect.stringMatching(message),
      })
    }
  })

  it('passes on what a library says when it cannot describe a schema', () => {
    const standard = (message: unknown) => ({
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: () => {
            throw message
          },
          output: () => ({}),
        },
      },
    })
    expect(() => formOf(standard(new Error('no cycles')))).toThrow(/\(no cycles\).*jsonSchema/)
    expect(() => formOf(standard('no cycles'))).toThrow(/\(no cycles\)/)
    const nothing = standard('')
    nothing['~standard'].jsonSchema.input = () => undefined as never
    expect(() => formOf(nothing)).toThrow(/not a JSON Schema/)
  })
})

describe('a field that looks like a secret', () => {
  it('is refused, unless the author knows better', () => {
    const schema = z.object({ user: z.string(), password: z.string() })
    expect(() => formOf(schema)).toThrow(SensitiveFieldError)
    expect(() => formOf(schema)).toThrow(/"password".*credentials\(\)/)
    expect(formOf(schema, { allow: ['password'] })).toEqual(
      required({ user: { type: 'string' }, password: { type: 'string' } }),
    )
  })

  it('is no yes or no, and no choice', () => {
    expect(formOf(z.object({ rememberPassword: z.boolean(), tokenKind: z.enum(['a']) })).required).toHaveLength(2)
  })

  it('is known by its title, description or format as well', () => {
    expect(() => formOf(z.object({ it: z.string().meta({ title: 'API key' }) }))).toThrow(SensitiveFieldError)
    expect(() => formOf(z.object({ it: z.string().describe('Enter your password') }))).toThrow(SensitiveFieldError)
    expect(() => formOf({ type: 'object', properties: { it: { type: 'string', format: 'password' } } })).toThrow()
  })
})

describe('formOf choices', () => {
  it('gives the same for the same words, and each its own however many there were', () => {
    const choices = (number: number) => formOf([`first ${number}`, `second ${number}`])
    const before = choices(0)
    for (let number = 1; number <= 250; number++) expect(JSON.stringify(choices(number))).toContain(`"first ${number}"`)
    expect(choices(0)).toEqual(before)
    const long = 'x'.repeat(3_000)
    expect(JSON.stringify(formOf([long, 'y']))).toContain(long)
  })
})

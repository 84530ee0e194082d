import { type } from 'arktype'
import * as v from 'valibot'
import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { Content } from '../ask/outcome.js'
import type { AnswerOf, AskSchema, FormSchema } from './schema.js'

declare function ask<const S extends AskSchema>(schema: S): AnswerOf<S>

it('infers the answer from a Standard Schema', () => {
  expectTypeOf(ask(z.object({ a: z.string().transform(Number) }))).toEqualTypeOf<{ a: number }>()
  expectTypeOf(ask(z.email())).toEqualTypeOf<string>()
  expectTypeOf(ask(v.object({ a: v.optional(v.string(), 'x') }))).toEqualTypeOf<{ a: string }>()
  expectTypeOf(ask(type({ 'a?': "'x' | 'y'" }))).toEqualTypeOf<{ a?: 'x' | 'y' }>()
})

it('infers the bare answer of a shorthand', () => {
  expectTypeOf(ask(String)).toEqualTypeOf<string>()
  expectTypeOf(ask(Number)).toEqualTypeOf<number>()
  expectTypeOf(ask(Boolean)).toEqualTypeOf<boolean>()
  expectTypeOf(ask(['red', 'green'])).toEqualTypeOf<'red' | 'green'>()
  expectTypeOf(ask([['red', 'green']])).toEqualTypeOf<('red' | 'green')[]>()
  expectTypeOf(ask({ low: 'Low priority', high: 'High priority' })).toEqualTypeOf<'low' | 'high'>()
})

it('infers the answer from a JSON Schema', () => {
  const answer = ask({
    type: 'object',
    properties: {
      name: { type: 'string' },
      age: { type: 'integer' },
      ok: { type: 'boolean' },
      size: { type: 'string', enum: ['s', 'm'] },
      level: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
      more: { type: 'array', items: { anyOf: [{ const: 'p', title: 'P' }] } },
    },
    required: ['name', 'tags'],
  })
  expectTypeOf(answer.name).toEqualTypeOf<string>()
  expectTypeOf(answer.age).toEqualTypeOf<number | undefined>()
  expectTypeOf(answer.ok).toEqualTypeOf<boolean | undefined>()
  expectTypeOf(answer.size).toEqualTypeOf<'s' | 'm' | undefined>()
  expectTypeOf(answer.level).toEqualTypeOf<'a' | undefined>()
  expectTypeOf(answer.tags).toEqualTypeOf<('x' | 'y')[]>()
  expectTypeOf(answer.more).toEqualTypeOf<'p'[] | undefined>()
  expectTypeOf(ask({ type: 'string', title: 'Name' })).toEqualTypeOf<string>()
  expectTypeOf<AnswerOf<FormSchema>>().toEqualTypeOf<Content>()
})

it('refuses what is not a schema', () => {
  // @ts-expect-error a number is not a schema
  ask(5)
  // @ts-expect-error a list of numbers is not a shorthand
  ask([1, 2])
})

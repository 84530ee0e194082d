import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseAnswer } from './parse-answer.js'

describe('parseAnswer', () => {
  it('gives the validated value of the author', async () => {
    const schema = z.object({ a: z.string().transform(Number), b: z.string().default('x') })
    expect(await parseAnswer(schema, { a: '5', other: 1 })).toEqual({ value: { a: 5, b: 'x' } })
  })

  it('holds rules that no form can carry', async () => {
    const schema = z.object({ a: z.string().regex(/^x/, 'Start with x.') })
    expect(await parseAnswer(schema, { a: 'y' })).toEqual({ issues: [{ path: ['a'], message: 'Start with x.' }] })
  })

  it('checks the form before it troubles the validator', async () => {
    const schema = z.object({ a: z.string() })
    expect(await parseAnswer(schema, { a: 1 })).toEqual({ issues: [{ path: ['a'], message: 'Enter a text.' }] })
  })

  it('waits for a validator that takes its time', async () => {
    const free = z.string().refine(async name => name !== 'admin', 'That name is taken.')
    expect(await parseAnswer(free, { value: 'admin' })).toEqual({
      issues: [{ path: ['value'], message: 'That name is taken.' }],
    })
    expect(await parseAnswer(free, { value: 'free' })).toEqual({ value: 'free' })
  })

  it('gives the bare value of a shorthand', async () => {
    expect(await parseAnswer(['a', 'b'], { value: 'b' })).toEqual({ value: 'b' })
    expect(await parseAnswer(Number, { value: 0 })).toEqual({ value: 0 })
    expect(await parseAnswer(['a', 'b'], { value: 'c' })).toEqual({
      issues: [{ path: ['value'], message: 'Choose one of the options.' }],
    })
  })

  it('hands { response } to a validator that cannot describe itself', async () => {
    const schema = v.pipe(
      v.object({ response: v.string() }),
      v.transform(({ response }) => response.trim()),
    )
    expect(await parseAnswer(schema, { response: ' hi ' })).toEqual({ value: 'hi' })
  })

  it('reads paths in both ways of the standard', async () => {
    const schema = v.object({ response: v.pipe(v.string(), v.minLength(3, 'Too short.')) })
    expect(await parseAnswer(schema, { response: 'a' })).toEqual({
      issues: [{ path: ['response'], message: 'Too short.' }],
    })
    const whole = z.object({ a: z.string() }).refine(() => false, 'Not like this.')
    expect(await parseAnswer(whole, { a: 'x' })).toEqual({ issues: [{ path: [], message: 'Not like this.' }] })
    const noPath = v.pipe(
      v.object({ response: v.string() }),
      v.check(() => false, 'Never.'),
    )
    expect(await parseAnswer(noPath, { response: 'a' })).toEqual({ issues: [{ path: [], message: 'Never.' }] })
  })
})

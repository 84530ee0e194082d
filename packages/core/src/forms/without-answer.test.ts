import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AnswerInvalidError } from '../errors/index.js'
import { askAgain } from './ask-again.js'
import { formOf } from './form-of.js'
import { parseAnswer } from './parse-answer.js'

const asText = { type: 'object', properties: { it: { type: 'string' } }, required: ['it'] }
const asNumber = { type: 'object', properties: { it: { type: 'number' } }, required: ['it'] }

/** What a person, a model or a log reads of an answer that does not fit: everything but the fields of the next ask. */
async function told(schema: StandardSchemaV1, it: unknown, jsonSchema: object = asText): Promise<string> {
  try {
    const { issues = [] } = await parseAnswer(schema, { it }, jsonSchema)
    const error = new AnswerInvalidError(issues)
    const again = askAgain({ question: 'What?', form: formOf(schema, { jsonSchema }) }, { content: { it }, issues })
    return [error.message, JSON.stringify(error), JSON.stringify(issues), again.question].join('\n')
  } catch (error) {
    return inspected(error)
  }
}

function inspected(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error} ${error.stack} ${JSON.stringify(error)} ${error.cause === undefined ? '' : inspected(error.cause)}`
}

async function messages(schema: StandardSchemaV1, it: unknown, jsonSchema: object = asText): Promise<string[]> {
  const { issues = [] } = await parseAnswer(schema, { it }, jsonSchema)
  return issues.map(({ message }) => message)
}

function refused(word: (text: string) => string): StandardSchemaV1 {
  return z.object({ it: z.string().superRefine((text, ctx) => ctx.addIssue(word(text))) })
}

/** Each refuses every text, in its own words. */
const repeaters: Record<string, StandardSchemaV1> = {
  'zod: error function': z.object({ it: z.string().regex(/^\0$/, { error: ({ input }) => `Not ${input}!` }) }),
  'zod: quoted': refused(text => `"${text}" is taken`),
  'zod: as JSON': refused(text => `Unknown: ${JSON.stringify({ text })}`),
  'zod: cut short': refused(text => `Unknown: ${text.slice(0, 12)}…`),
  'zod: cut in the middle': refused(text => `Unknown: ${text.slice(4, 12)}…`),
  'zod: upper case': refused(text => text.toUpperCase()),
  'zod: without spaces': refused(text => text.replace(/\W/g, '')),
  'zod: a path': z.object({
    it: z.string().superRefine((text, ctx) => ctx.addIssue({ code: 'custom', path: [text] })),
  }),
  'zod: the keys of what was parsed': z.object({
    it: z
      .string()
      .transform(text => ({ [text]: 'x' }))
      .pipe(z.record(z.literal(['known']), z.string())),
  }),
  'zod: throws': z.object({ it: z.string().transform(text => JSON.parse(`${text}}`)) }),
  'zod: throws with a cause': refused(text => {
    throw new Error('Away', { cause: Object.assign(new Error('gone'), { detail: { key: [text] } }) })
  }),
  'zod: throws a text': refused(text => {
    throw text
  }),
  valibot: v.object({ it: v.pipe(v.string(), v.regex(/^\0$/)) }),
  'valibot: email': v.object({ it: v.pipe(v.string(), v.email()) }),
  'valibot: own words': v.object({
    it: v.pipe(
      v.string(),
      v.check(
        () => false,
        ({ input }) => `Not ${input}`,
      ),
    ),
  }),
  arktype: type({ it: '/^never$/' }),
  'arktype: parsed': type({ it: 'string.json.parse' }),
  'arktype: own words': type({
    it: type('string').narrow((text, ctx) => ctx.reject({ expected: `no ${text}`, actual: '' })),
  }),
}

describe('what is said about an answer', () => {
  // Every word of it has the marker, so that no cut of it goes unseen.
  const marker = fc.stringMatching(/^zQ7[a-z0-9]{9}$/)
  const text = fc
    .tuple(fc.array(fc.tuple(marker, fc.constantFrom(' ', '-', '"', '\n', '\\', ', ', "'"))), marker)
    .map(([parts, last]) => parts.flat().join('') + last)

  it.each(Object.entries(repeaters))('never has any of it: %s', async (_, schema) => {
    await fc.assert(
      fc.asyncProperty(text, async it => {
        const all = (await told(schema, it)).toLowerCase()
        for (const word of it.toLowerCase().match(/[a-z0-9]+/g) ?? []) expect(all).not.toContain(word.slice(4, 10))
      }),
      { numRuns: 50 },
    )
  })

  it('never has a number', async () => {
    const schemas = [
      z.object({ it: z.number().refine(() => false, { error: ({ input }) => `${input} is odd` }) }),
      v.object({ it: v.pipe(v.number(), v.maxValue(5)) }),
      type({ it: 'number<5' }),
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...schemas), fc.double({ min: 1e6, max: 1e7 }), async (schema, it) => {
        expect(await told(schema, it, asNumber)).not.toContain(String(it).slice(0, 6))
      }),
    )
  })

  it.each(['a', '5', 'é', '!', 'no', '.'])('does not have the short answer %j in quotes', async it => {
    for (const [name, schema] of Object.entries(repeaters)) {
      if (name.startsWith('zod: t')) continue
      expect(await told(schema, it), name).not.toContain(`"${it}"`)
      expect(
        (
          await messages(
            refused(text => `${text} is taken`),
            it,
          )
        ).join(),
      ).toBe('This is not valid.')
    }
  })
})

describe('the words of a validator', () => {
  it.each([
    ['a', 'must be a number'],
    ['must', 'must be a number'],
    ['x', 'Start with x.'],
    ['I had to tell you about it', 'Tell us which ticket this is about.'],
    ['!', 'Not like this!'],
  ])('are shown for the answer %j, where they would be the same for another', async (it, words) => {
    expect(
      await messages(
        refused(() => words),
        it,
      ),
    ).toEqual([words])
  })

  it('are shown where one field of several, or a bare value, has a word of them', async () => {
    const both = z
      .object({ name: z.string(), why: z.string() })
      .refine(({ name }) => name !== 'admin', 'Tell us why else.')
    const { issues } = await parseAnswer(both, { name: 'admin', why: 'I said why' })
    expect(issues).toEqual([{ path: [], message: 'Tell us why else.' }])
    const bare = z.string().refine(() => false, 'Tell us why.')
    expect(await parseAnswer(bare, { value: 'why?' })).toEqual({
      issues: [{ path: ['value'], message: 'Tell us why.' }],
    })
  })

  it('are shown for a very long answer', async () => {
    expect(
      await messages(
        refused(() => 'Shorter, please.'),
        'x'.repeat(20_000),
      ),
    ).toEqual(['Shorter, please.'])
  })

  it('are shown where they share no word with the answer', async () => {
    const schema = z.object({ it: z.string().refine(text => text !== 'admin', 'This name is taken.') })
    expect(await messages(schema, 'admin')).toEqual(['This name is taken.'])
  })

  it('are left out where they share a word that is of the answer alone, for all that is known', async () => {
    const schema = z.object({ it: z.string().refine(text => text !== 'taken', 'This name is taken.') })
    expect(await messages(schema, 'taken')).toEqual(['This is not valid.'])
  })

  it('lose what was received, and keep the rest', async () => {
    const email = v.object({ it: v.pipe(v.string(), v.email()) })
    expect(await messages(email, 'nobody')).toEqual(['Invalid email'])
    const long = v.object({ it: v.pipe(v.string(), v.minLength(80)) })
    expect(await messages(long, 'nobody')).toEqual(['Invalid length: Expected >=80'])
    expect(await messages(type({ it: 'string.email' }), 'nobody')).toEqual(['it must be an email address'])
    expect(await messages(type({ it: 'number%2' }), 5, asNumber)).toEqual(['it must be even'])
  })

  it('are what was expected, where the rest does not do', async () => {
    expect(await messages(type({ it: 'string.json.parse' }), 'nobody')).toEqual(['Expected: a JSON string.'])
  })

  it('are left out where a second look at them fails', async () => {
    let looks = 0
    const moody = z.object({
      it: z.string().superRefine((text, ctx) => {
        if (looks++ > 0) throw new Error('Away')
        ctx.addIssue(`Not ${text}`)
      }),
    })
    expect(await messages(moody, 'nobody')).toEqual(['This is not valid.'])
  })

  it('hold for choices and for yes or no', async () => {
    const jsonSchema = {
      type: 'object',
      properties: { tags: { type: 'array', items: { enum: ['red', 'blue'] } }, sure: { type: 'boolean' } },
    }
    const schema = z.object({ tags: z.array(z.string()), sure: z.boolean() }).superRefine(({ tags, sure }, ctx) => {
      ctx.addIssue(`Not ${tags}.`)
      ctx.addIssue(`Was ${sure}.`)
      ctx.addIssue('Blue is out.')
    })
    const { issues } = await parseAnswer(schema, { tags: ['blue'], sure: false }, jsonSchema)
    expect(issues?.map(({ message }) => message)).toEqual(['This is not valid.', 'This is not valid.', 'Blue is out.'])
  })
})

describe('what a validator throws', () => {
  const throwing = (thrown: unknown) =>
    refused(() => {
      throw thrown
    })

  it('is thrown on as it is where nothing of the answer is in it', async () => {
    const away = Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED', port: 5432 })
    await expect(parseAnswer(throwing(away), { it: 'nobody' }, asText)).rejects.toBe(away)
    await expect(parseAnswer(throwing(null), { it: 'nobody' }, asText)).rejects.toBe(null)
  })

  it('is named, and no more, where something of it may be', async () => {
    const parsing = parseAnswer(throwing(new SyntaxError('Unexpected "nobody"')), { it: 'nobody' }, asText)
    await expect(parsing).rejects.toThrow('The schema could not check the answer (SyntaxError).')
    const text = parseAnswer(throwing('nobody'), { it: 'nobody' }, asText)
    await expect(text).rejects.toThrow('The schema could not check the answer. What')
    const named = parseAnswer(throwing(Object.assign(new Error('x'), { name: 'nobody' })), { it: 'nobody' }, asText)
    await expect(named).rejects.toThrow('The schema could not check the answer. What')
    const deep = Object.assign(new Error('x'), { a: { b: { c: { d: { e: {} } } } } })
    await expect(parseAnswer(throwing(deep), { it: 'nobody' }, asText)).rejects.toThrow(
      'The schema could not check the answer (Error).',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readSchema } from './schemas.js'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

describe('the schema of a tool', () => {
  it('is listed without the name of its dialect, which validators of older clients do not know', () => {
    const schema = z.object({ sum: z.number() })
    expect(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toMatchObject({ $schema: dialect })
    for (const io of ['input', 'output'] as const) {
      const { json } = readSchema(schema, io)
      expect(json).toMatchObject({ type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] })
      expect(json).not.toHaveProperty('$schema')
    }
  })

  it('is listed as the author wrote it', () => {
    const schema = { $schema: dialect, type: 'object', properties: { sum: { type: 'number' } } } as const
    expect(readSchema(schema, 'output').json).toEqual(schema)
  })
})

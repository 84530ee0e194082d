// What an ask costs before it is sent and after it is answered: the form of a schema, and the check of five fields.

import { checkContent, formOf } from '@beckon/core'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import { medianMicros } from '../measure.mjs'

const jsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', minLength: 1, maxLength: 80 },
    email: { type: 'string', format: 'email' },
    seats: { type: 'integer', minimum: 1, maximum: 500 },
    plan: { type: 'string', enum: ['free', 'team', 'enterprise'] },
    newsletter: { type: 'boolean', default: false },
  },
  required: ['name', 'email', 'seats', 'plan'],
}
const zodSchema = z.object({
  name: z.string().min(1).max(80),
  email: z.email(),
  seats: z.int().min(1).max(500),
  plan: z.enum(['free', 'team', 'enterprise']),
  newsletter: z.boolean().optional(),
})
const form = formOf(jsonSchema)
const ajv = new Ajv({ strict: false })
addFormats.default(ajv)
const compiled = ajv.compile(form)

// Not one and the same object for every call: an answer comes off the wire.
const answers = Array.from({ length: 200 }, (_, index) => ({
  name: `Person ${index}`,
  email: `person-${index}@example.com`,
  seats: 1 + index,
  plan: 'team',
  newsletter: index % 2 === 0,
}))
const answer = (/** @type {number} */ index) => answers[index % answers.length]

/** @type {{ what: string, call: (index: number) => unknown, goalMicros?: number }[]} */
const measured = [
  { what: 'formOf, a Zod schema seen before', call: () => formOf(zodSchema), goalMicros: 5 },
  { what: 'formOf, a JSON Schema seen before', call: () => formOf(jsonSchema), goalMicros: 5 },
  { what: 'formOf, a JSON Schema not seen before', call: () => formOf({ ...jsonSchema }) },
  { what: 'checkContent, five fields', call: index => checkContent(form, answer(index)), goalMicros: 5 },
  { what: 'ajv on the same, compiled beforehand', call: index => compiled(answer(index)) },
]

for (const { what, call, goalMicros = Number.POSITIVE_INFINITY } of measured) {
  const micros = medianMicros(call)
  const missed = micros >= goalMicros
  const verdict = Number.isFinite(goalMicros) ? `  ${missed ? 'NOT under' : 'under'} ${goalMicros}` : ''
  console.log(`${what.padEnd(40)} ${micros.toFixed(3).padStart(8)} µs${verdict}`)
  if (missed) process.exitCode = 1
}

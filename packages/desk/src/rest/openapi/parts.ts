// What every path of the description is made of.
import { ref, type Schema } from './shapes.js'

const problems = {
  400: 'The request is not as it should be.',
  401: 'Nobody knows who you are.',
  403: 'You may not do this.',
  404: 'There is no such ask, or it is not for you.',
  409: 'The ask has ended; with who ended it, and how.',
  413: 'The body is too long.',
  415: 'The body is not JSON.',
  422: 'Some answers cannot be taken; with the reason for each question.',
  429: 'Too many requests, or too many feeds at once.',
  503: 'The desk cannot keep anything right now. Try again in a moment.',
} as const

type ProblemStatus = keyof typeof problems

export function parameter(
  place: 'path' | 'query' | 'header',
  name: string,
  description: string,
  schema: Schema = { type: 'string' },
): Schema {
  return { name, in: place, description, schema, ...(place === 'path' && { required: true }) }
}

export function reply(description: string, schema: string, type = 'application/json'): Schema {
  return { description, content: { [type]: { schema: ref(schema) } } }
}

export function body(schema: string, required: boolean): Schema {
  return { required, content: { 'application/json': { schema: ref(schema) } } }
}

export function refusals(...statuses: readonly ProblemStatus[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    [401 as const, ...statuses, 429 as const, 503 as const].map(status => [
      `${status}`,
      reply(problems[status], 'Problem', 'application/problem+json'),
    ]),
  )
}

import { z } from 'zod'
import { credentials } from '../../src/middleware/credentials/credentials.js'

export const schema = z.object({ username: z.string().min(1), password: z.string().min(1) })
export const right = { 'field-username': 'ada', 'field-password': 'correct horse' }
export const wrong = { 'field-username': 'ada', 'field-password': 'battery staple' }

/** A gate that one password opens. */
export function login(options: Partial<Parameters<typeof credentials<typeof schema>>[0]> = {}) {
  return credentials({
    message: 'Sign in to the warehouse.',
    schema,
    verify: ({ username, password }) => (password === 'correct horse' ? { id: username } : null),
    ...options,
  })
}

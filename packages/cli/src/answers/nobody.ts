import { plainLine, plainText } from '../plain-text.js'
import type { Person } from './person.js'

/** Nobody is there: what is asked is cancelled, and it is said how to be there. */
export const nobody: Person = async ({ server, message, url, questions }) => {
  const ids = questions.map(({ id }) => plainLine(id)).join(', ')
  const more = url === undefined ? ids : plainText(url)
  console.error(
    `${plainLine(server)} asks: ${plainLine(message)}${more === '' ? '' : ` (${more})`}\n` +
      'There is no terminal to answer from, so it is cancelled. Answer with --answers <file>, or run this in a terminal.',
  )
  return { action: 'cancel' }
}

import { createHash } from 'node:crypto'

// An index takes about 2,700 bytes. A character of JSON is three bytes at most.
const longestAsItIs = 800

/** A name as the database keeps it: as JSON, which has neither NUL nor lone surrogates; a long one as its digest. */
export function storedName(name: string): string {
  const json = JSON.stringify(name)
  // What is JSON begins with a quote, so the two never meet.
  return json.length <= longestAsItIs ? json : `#${digestOf(json)}`
}

/** A short form of any text, without spaces. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

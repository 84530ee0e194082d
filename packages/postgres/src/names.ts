import { createHash } from 'node:crypto'

// An index takes about 2,700 bytes. A character of JSON is three bytes at most.
const maxPlainChars = 800
/** The name of a set is in the row of each member, and a member is part of the same index. */
const maxSetChars = 200

/** A name as the database keeps it: as JSON, which has neither NUL nor lone surrogates; a long one as its digest. */
export function storedName(name: string, longest: number = maxPlainChars): string {
  const json = JSON.stringify(name)
  // What is JSON begins with a quote, so the two never meet.
  return json.length <= longest ? json : `#${digestOf(json)}`
}

/** The name of a set as the database keeps it. */
export function storedSetName(name: string): string {
  return storedName(name, maxSetChars)
}

/** A short form of any text, without spaces. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

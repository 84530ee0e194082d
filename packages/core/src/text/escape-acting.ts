import { replaceActing } from './acting.js'

/** JSON, or any text in quotes, with each such character as an escape: it reads back as the same value. */
export function escapeActing(json: string): string {
  return replaceActing(json, character =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

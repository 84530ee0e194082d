import { replaceActing } from './acting.js'

/** More marks than any language puts on one letter. */
export const stackedMarks: RegExp = /(\p{M}{3})(\p{M}+)/gu

/**
 * A text with nothing in it that acts on the text around it: what would is shown by its number, and of marks that are stacked
 * on one letter three stay, and a count of the others.
 */
export function visible(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n')
  // A mark at the beginning would be put on whatever stands before.
  const based = /^\p{M}/u.test(lines) ? `\u25cc${lines}` : lines
  return replaceActing(based, numberOf).replace(
    stackedMarks,
    (_, kept: string, rest: string) => `${kept}[+${[...rest].length}]`,
  )
}

function numberOf(character: string): string {
  const code = Number(character.codePointAt(0)).toString(16).toUpperCase()
  return `[U+${code.padStart(4, '0')}]`
}

import { replaceActing } from './acting.js'

/** More marks than any language puts on one letter. */
export const stackedMarks: RegExp = /(\p{M}{3})(\p{M}+)/gu

/** More spaces than any layout has: what stands behind them is beside what a person looks at, where lines are not wrapped. */
const pushedAside = /([\p{Zs}\t]{40})([\p{Zs}\t]+)/gu
/** The same with empty lines. */
const pushedDown = /((?:\n[\p{Zs}\t]*){20})((?:\n[\p{Zs}\t]*)+)(?=\n)/gu

/**
 * A text with nothing in it that acts on the text around it: what would is shown by its number, and of marks that are stacked
 * on one letter three stay, and a count of the others. So it is with spaces and empty lines that push what follows out of sight.
 */
export function visible(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n')
  // A mark at the beginning would be put on whatever stands before.
  const based = /^\p{M}/u.test(lines) ? `\u25cc${lines}` : lines
  return replaceActing(based, numberOf)
    .replace(stackedMarks, counted)
    .replace(pushedAside, counted)
    .replace(pushedDown, (_, kept: string, rest: string) => `${kept}\n[+${rest.split('\n').length - 1}]`)
}

function counted(_: string, kept: string, rest: string): string {
  return `${kept}[+${[...rest].length}]`
}

function numberOf(character: string): string {
  const code = Number(character.codePointAt(0)).toString(16).toUpperCase()
  return `[U+${code.padStart(4, '0')}]`
}

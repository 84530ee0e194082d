// Threat: what a server sends is written to a terminal, where some characters are commands: they clear the screen, move
// the cursor, fake a prompt, set the clipboard, or turn the reading direction so that a sentence says something else.
// So whatever comes from a server goes through here before it is printed: what commands a terminal is taken out, and what acts
// on text is shown by its number, as everywhere else. Letters of every script stay.
import { escapeActing, visible } from '@beckon/core'

// Escape sequences as a whole, so that no remainder of one is left to read: OSC, DCS and their like up to their end, CSI, and short ones.
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const lineEnds = /\r\n?|[\u0085\u2028\u2029]/g

const maxChars = 20_000

/** A text from a server as it may be written to a terminal. */
export function plainText(text: string): string {
  const plain = text
    .slice(0, maxChars)
    .replace(sequences, '')
    .replace(lineEnds, '\n')
    .replaceAll('\t', '  ')
    .replace(controls, '')
  const clean = visible(plain)
  const rest = text.length - maxChars
  return rest > 0 ? `${clean}\n(${rest} more characters)` : clean
}

/** The same on one line. */
export function plainLine(text: string): string {
  const line = plainText(text).replace(/\s+/g, ' ').trim()
  return line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line
}

const maxLineChars = 500

/** JSON whose texts can do nothing to a terminal; it reads back as the same value. */
export function plainJson(value: unknown): string {
  return escapeActing(JSON.stringify(value, undefined, 2))
}

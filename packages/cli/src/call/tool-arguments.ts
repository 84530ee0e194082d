import { usageError } from '../cli-error.js'

/** A tool's arguments from the command line: one JSON object, or `key=text` and `key:=json`. */
export function toolArguments(words: readonly string[]): Record<string, unknown> {
  const [first] = words
  if (first !== undefined && words.length === 1 && first.trimStart().startsWith('{')) {
    const value = parse(first, 'The arguments')
    // What begins with a brace and is JSON is an object.
    return value as Record<string, unknown>
  }
  return Object.fromEntries(words.map(argument))
}

function argument(word: string): [string, unknown] {
  const [, name, isJson, text] = /^([^=:]+)(:)?=(.*)$/s.exec(word) ?? []
  if (name === undefined || text === undefined) {
    throw usageError(`"${word}" is not an argument. Write name=text, name:=json (as in count:=3), or one JSON object.`)
  }
  return [name, isJson === undefined ? text : parse(text, `The value of "${name}"`)]
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usageError(`${what} cannot be read as JSON: ${text}`)
  }
}

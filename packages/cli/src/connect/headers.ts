import { usageError } from '../cli-error.js'

/** Headers as they are given on the command line: `Name: value`. */
export function headersOf(lines: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    lines.map(line => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined) throw usageError(`"${line}" is not a header. Write "Name: value".`)
      return [name, value]
    }),
  )
}

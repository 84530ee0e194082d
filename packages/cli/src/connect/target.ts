import { usageError } from '../cli-error.js'

/** Where a server is: at an address, or started by a command. */
export type Target =
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }

/** The words before and after a lone `--`. What comes after it is the command of a server. */
export function splitCommand(args: readonly string[]): { ours: string[]; command: string[] | undefined } {
  const end = args.indexOf('--')
  return end === -1
    ? { ours: [...args], command: undefined }
    : { ours: args.slice(0, end), command: args.slice(end + 1) }
}

/** A server from one word: an address, or a command line in quotes. */
export function targetOf(word: string): Target {
  if (/^https?:\/\//i.test(word)) {
    if (!URL.canParse(word)) throw usageError(`"${word}" is not an address.`)
    return { kind: 'url', url: new URL(word) }
  }
  return commandTarget(wordsOf(word))
}

export function commandTarget(words: readonly string[]): Target {
  const [command, ...args] = words
  if (command === undefined || command === '') throw usageError('The command of the server is missing.')
  return { kind: 'command', command, args }
}

/** A server as a person reads it. */
export function describeTarget(target: Target): string {
  return target.kind === 'url' ? target.url.href : [target.command, ...target.args].join(' ')
}

/** Words as a shell splits them: quotes hold together, and nothing is expanded. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? []
  return words.map(word =>
    word.replace(/"([^"]*)"|'([^']*)'|\\(.)/g, (_, double, single, escaped) => double ?? single ?? escaped),
  )
}

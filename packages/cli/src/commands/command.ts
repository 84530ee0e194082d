import { type ParseArgsConfig, parseArgs } from 'node:util'
import { splitCommand } from '../connect/target.js'
import type { ExitCode } from '../exit-codes.js'

/** An option, said once: it is parsed by this, and the help and docs/cli.md are written from it. */
export interface Option {
  readonly type: 'string' | 'boolean'
  /** What it does, in a sentence or two. */
  readonly help: string
  /** The name of its value: `port`, shown as `--http <port>`. */
  readonly value?: string
  readonly default?: string | boolean | string[]
  readonly multiple?: boolean
}

export type Options = Readonly<Record<string, Option>>

/** What a command line gave. */
interface Given<O extends Options> {
  readonly values: ReturnType<typeof parseArgs<{ options: O }>>['values']
  readonly words: readonly string[]
  /** The command of a server, which comes after `--`. */
  readonly serverCommand: readonly string[] | undefined
}

interface Definition<O extends Options> {
  /** What it does, and how it is used: the help above the options. */
  readonly usage: string
  readonly options: O
  /** The help below the options. */
  readonly notes?: string
  /** What it takes besides options. Default: nothing. */
  readonly takes?: 'words' | 'words and a server command'
  run(given: Given<O>): Promise<ExitCode>
}

/** One command of `beckon`. */
export interface Command {
  readonly options: Options
  /** What `beckon <name> --help` prints. */
  readonly help: string
  run(args: readonly string[]): Promise<ExitCode>
}

/** A command as the list of commands has it: what it does in a line, and where it is. */
export interface Listed {
  readonly summary: string
  load(): Promise<{ readonly command: Command }>
}

/** Makes a command: its help and its parser both come from its options. */
export function defineCommand<const O extends Options>({ usage, options, notes, takes, run }: Definition<O>): Command {
  const help = [usage, `Options:\n${optionLines(options)}`, ...(notes === undefined ? [] : [notes])].join('\n\n')
  return {
    options,
    help,
    run(args) {
      const split =
        takes === 'words and a server command' ? splitCommand(args) : { ours: [...args], command: undefined }
      const config = { args: split.ours, options, allowPositionals: takes !== undefined } satisfies ParseArgsConfig
      const { values, positionals } = parseArgs(config)
      return run({ values, words: positionals, serverCommand: split.command })
    },
  }
}

/** How an option is written: `--http <port>`. */
export function optionName(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`
}

/** What an option does, with that it may be repeated. */
export function optionHelp({ help, multiple }: Option): string {
  return multiple ? `${help}; may be repeated` : help
}

const maxColumns = 110

function optionLines(options: Options): string {
  const listed = Object.entries(options).map(
    ([name, option]) => [optionName(name, option), optionHelp(option)] as const,
  )
  const indent = Math.max(...listed.map(([label]) => label.length)) + 4
  return listed
    .map(([label, help]) => {
      const [first, ...others] = wrap(help, maxColumns - indent)
      return [`  ${label}`.padEnd(indent) + first, ...others.map(line => ' '.repeat(indent) + line)].join('\n')
    })
    .join('\n')
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

import type { ExitCode } from '../exit-codes.js'

/** One command of `beckon`. */
export interface Command {
  /** What `beckon <name> --help` prints. */
  readonly help: string
  run(args: readonly string[]): Promise<ExitCode>
}

/** A command as the list of commands has it: what it does in a line, and where it is. */
export interface Listed {
  readonly summary: string
  load(): Promise<{ readonly command: Command }>
}

import { type ExitCode, exitCodes } from './exit-codes.js'

/** Ends a command with a message for the person at the terminal, and an exit code. */
export class CliError extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.broken) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The command line cannot be understood; the message says what to write instead. */
export function usageError(message: string): CliError {
  return new CliError(message, exitCodes.usage)
}

import type { Listening } from '@beckon/desk'
import { CliError, usageError } from '../cli-error.js'
import { exitCodes } from '../exit-codes.js'

export function portOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined
  const port = /^\d{1,5}$/.test(word) ? Number(word) : Number.NaN
  if (!(port <= 65_535)) throw usageError(`"${word}" is not a port. Write 0 to 65535.`)
  return port
}

export interface ListenOnOptions {
  /** The port that was asked for. */
  readonly port: number | undefined
  /** Where nothing was asked for; and where that is taken, any that is free. */
  readonly usual: number
  readonly say: (line: string) => void
}

export async function listenOn(
  { port, usual, say }: ListenOnOptions,
  listen: (port: number) => Promise<Listening>,
): Promise<Listening> {
  try {
    return await listen(port ?? usual)
  } catch (error) {
    if (port !== undefined || !isTaken(error)) throw error
    say(`Port ${usual} is taken, perhaps by another of these, so this one is elsewhere.`)
    return listen(0)
  }
}

/**
 * What to tell someone whose port cannot be had; undefined for any other error.
 * @param setting what says which port it is, where it is not an option of the command
 */
export function portProblem(error: unknown, setting?: string): CliError | undefined {
  const by = setting === undefined ? '' : ` with ${setting}`
  // A server of ours has the system's error as the cause of its own.
  for (const { code, port } of [systemError(error), systemError(error instanceof Error ? error.cause : undefined)]) {
    const name = typeof port === 'number' ? `Port ${port}` : undefined
    if (code === 'EADDRINUSE') {
      return new CliError(`${name ?? 'The port'} is taken. Choose another${by}, or 0 for any.`, exitCodes.cannotConnect)
    }
    if (code === 'EACCES' && name !== undefined) {
      return new CliError(`${name} may not be used by you. Choose one above 1023${by}.`, exitCodes.cannotConnect)
    }
  }
  return undefined
}

function systemError(error: unknown): { code?: unknown; port?: unknown } {
  if (!(error instanceof Error)) return {}
  const { code, port }: Error & { code?: unknown; port?: unknown } = error
  return { code, port }
}

function isTaken(error: unknown): boolean {
  return systemError(error).code === 'EADDRINUSE'
}

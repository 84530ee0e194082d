import type { Listening } from '@beckon/desk'
import { CliError, usageError } from '../cli-error.js'
import { exitCodes } from '../exit-codes.js'

export function portOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined
  const port = Number(word)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw usageError(`"${word}" is no port. Write 0 to 65535.`)
  return port
}

/** Listens on the port that was asked for; else on the usual one, or, where that is taken, on any that is free. */
export async function listenOn(
  port: number | undefined,
  usual: number,
  listen: (port: number) => Promise<Listening>,
): Promise<Listening> {
  try {
    return await listen(port ?? usual)
  } catch (error) {
    if (!isTaken(error)) throw error
    if (port === undefined) return listen(0)
    throw new CliError(
      `Port ${port} is taken. Choose another with --port, or leave it out to get one that is free.`,
      exitCodes.cannotConnect,
    )
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

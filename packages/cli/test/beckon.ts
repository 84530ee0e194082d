// Runs the command as a person or a script does: in a process of its own, put together from its sources.
import { type ChildProcess, spawn } from 'node:child_process'
import { programOf } from '../../../test/programs/program.mjs'

const commandOf = async (source: string): Promise<readonly string[]> => [
  process.execPath,
  await programOf(new URL(source, import.meta.url)),
]
const [own, raw, asking, bad] = await Promise.all(
  ['../src/main.ts', './raw-server.ts', './serve-asking.ts', './bad-server.ts'].map(commandOf),
)

/** The command line of a server on stdio, of the era that its argument says. */
export const rawServer: readonly string[] = raw ?? []
/** Of one whose tools ask in every way. */
export const askingOnStdio: readonly string[] = asking ?? []
/** Of one that breaks every rule. */
export const badServer: readonly string[] = bad ?? []

/** The command line of `beckon` with arguments. */
export function beckon(...args: string[]): string[] {
  return [...(own ?? []), ...args]
}

/** A browser that opens nothing, and colours that are none. */
const environment = { ...process.env, BECKON_BROWSER: 'none', NO_COLOR: '1', CI: undefined }

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `beckon` without a terminal, to its end. */
export function runBeckon(args: string[], env: Record<string, string> = {}): Promise<Finished> {
  const { child, text } = start(beckon(...args), env)
  child.stdin?.end()
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve({ code, ...text }))
  })
}

/** A `beckon` that keeps running. */
export interface Running {
  readonly child: ChildProcess
  /** Resolves with the match once it was written, to either stream. */
  written(pattern: RegExp): Promise<RegExpExecArray>
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>
  stop(): Promise<number | null>
}

export function startBeckon(args: string[], env: Record<string, string> = {}): Running {
  const { child, text } = start(beckon(...args), env)
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  return {
    child,
    ended,
    written: pattern => waitFor(child, () => pattern.exec(text.stdout + text.stderr), String(pattern), text),
    stop() {
      if (child.exitCode === null) child.kill('SIGTERM')
      return ended
    },
  }
}

function start(command: string[], env: Record<string, string>) {
  const [program = '', ...args] = command
  const child = spawn(program, args, { env: { ...environment, ...env } })
  const text = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text.stdout += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text.stderr += part
  })
  return { child, text }
}

/** Looks again whenever the process writes something; fails when it ends without. */
export function waitFor<T>(
  child: ChildProcess,
  look: () => T | null | undefined,
  what: string,
  text: object,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const found = () => {
      const value = look()
      if (value === null || value === undefined) return false
      child.stdout?.off('data', found)
      child.stderr?.off('data', found)
      child.off('close', ended)
      resolve(value)
      return true
    }
    const ended = () => {
      if (!found()) reject(new Error(`It ended without ${what}: ${JSON.stringify(text)}`))
    }
    if (found()) return
    child.stdout?.on('data', found)
    child.stderr?.on('data', found)
    if (child.exitCode === null) child.once('close', ended)
    else ended()
  })
}

// Runs the command as a person or a script does: in a process of its own, from its sources; or as it was built, where the whole
// run begins with a build, since that starts in half the time.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const compiler = new URL('../../../test/typescript/register.mjs', import.meta.url).href
const isBuilt = process.env.BECKON_TEST_BUILT === '1'
const main = fileURLToPath(new URL(isBuilt ? '../dist/main.js' : '../src/main.ts', import.meta.url))

/** What runs TypeScript from its source. */
export const node: readonly string[] = isBuilt
  ? [process.execPath, '--import', compiler]
  : [process.execPath, '--conditions=@beckon/source', '--import', compiler]

/** The command line of `beckon` with arguments. */
export function beckon(...args: string[]): string[] {
  return [...(isBuilt ? [process.execPath] : node), main, ...args]
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

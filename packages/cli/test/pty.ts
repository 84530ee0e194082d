// A real pseudo-terminal, by `script` of util-linux: what is written to its standard input is typed.
import { spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { beckon, waitFor } from './beckon.js'

/** Why there is no pseudo-terminal here; undefined where there is one. */
export const noTerminal: string | undefined =
  spawnSync('script', ['--version']).status === 0 ? undefined : '`script` of util-linux is not installed'

export const keys = { enter: '\r', down: '\u001b[B', up: '\u001b[A', space: ' ', ctrlC: '\u0003' } as const

/** A terminal that does not show what it should is ended, so that a test can say what it showed instead. */
const stuckMs = 60_000

export interface Pty {
  /** Resolves once this was shown, after what was waited for last. */
  shows(words: string): Promise<void>
  type(...typed: string[]): void
  /** Everything that was shown, as it was sent to the terminal. */
  readonly raw: string
  /** The exit code. */
  ended(): Promise<number | null>
}

/** Runs `beckon` in a terminal. */
export function openPty(args: string[], env: Record<string, string> = {}, { columns = 100 } = {}): Pty {
  // Where nobody looks on, a terminal has no size until it is given one.
  const words = beckon(...args).map(quoted)
  const command = `stty cols ${columns} rows 50; exec ${words.join(' ')}`
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    env: { ...process.env, BECKON_BROWSER: 'none', TERM: 'xterm', CI: undefined, ...env },
  })
  let raw = ''
  const screen = { toJSON: () => stripVTControlCharacters(raw) }
  let seen = 0
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    raw += part
  })
  const closed = new Promise<number | null>(resolve => child.once('close', resolve))
  return {
    get raw() {
      return raw
    },
    async shows(words) {
      const look = () => {
        const at = stripVTControlCharacters(raw).indexOf(words, seen)
        return at === -1 ? undefined : at
      }
      const stuck = setTimeout(() => child.kill(), stuckMs)
      seen = (await waitFor(child, look, JSON.stringify(words), screen)) + words.length
      clearTimeout(stuck)
    },
    type(...typed) {
      for (const key of typed) child.stdin.write(key)
    },
    ended: () => closed,
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { Clock } from 'beckon'
import { type RuleMistake, readRules } from './read-rules.js'
import type { Rule } from './rule.js'

export interface RuleFileOptions {
  readonly path: string
  readonly clock: Pick<Clock, 'after'>
  /** Why a rule cannot be used here, though it is well written. */
  readonly refuses: (rule: Rule) => string | undefined
  /** What a rule does not do here, though it reads as if it did. */
  readonly warns: (rule: Rule) => string | undefined
  /** Told what is wrong with a file that was changed: the rules from before stay. */
  readonly onError: (error: unknown) => void
}

/** A person who makes a mistake in the file hears of it so soon, whether or not anything is called. */
const lookEveryMs = 2_000

/** Rules in a file. It is looked at before each decision, and read again when it has changed. */
export class RuleFile {
  readonly #options: RuleFileOptions
  #rules: readonly Rule[]
  /** Which version of the file was read last. */
  #version = ''
  #stopTimer: () => void

  /** @throws for a file that has mistakes, or cannot be read: there are no rules from before */
  constructor(options: RuleFileOptions) {
    this.#options = options
    this.#rules = this.#parse(readFileSync(options.path, 'utf8'))
    this.#stopTimer = this.#lookLater()
  }

  get rules(): readonly Rule[] {
    return this.#rules
  }

  /** Reads the file again, if it has changed. */
  async look(): Promise<void> {
    const { path, onError } = this.#options
    const version = await versionOf(path)
    if (version === this.#version) return
    this.#version = version
    try {
      this.#rules = this.#parse(await readFile(path, 'utf8'))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      onError(new Error(`${reason}\nThe rules from before stay.`))
    }
  }

  close(): void {
    this.#stopTimer()
  }

  #lookLater(): () => void {
    return this.#options.clock.after(lookEveryMs, () => {
      this.#stopTimer = this.#lookLater()
      void this.look()
    })
  }

  #parse(text: string): readonly Rule[] {
    const { path, refuses, warns, onError } = this.#options
    const linesOf = (mistakes: readonly RuleMistake[]) => mistakes.map(mistake => lineOf(path, mistake)).join('\n')
    const read = readRules(text, refuses)
    if ('mistakes' in read) throw new Error(linesOf(read.mistakes))
    const doubtful = readRules(text, warns)
    if ('mistakes' in doubtful) onError(new Error(`${linesOf(doubtful.mistakes)}\nUntil then it allows no such call.`))
    return read.rules
  }
}

function lineOf(path: string, { line, reason }: RuleMistake): string {
  return `${path}:${line}: ${reason}`
}

async function versionOf(path: string): Promise<string> {
  try {
    const { mtimeNs, size, ino } = await stat(path, { bigint: true })
    return `${mtimeNs} ${size} ${ino}`
  } catch {
    return 'gone'
  }
}

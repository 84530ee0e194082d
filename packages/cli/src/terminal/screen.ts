// How the terminal is written to. Talk goes to standard error, so that standard output has the result and nothing else.
import { styleText } from 'node:util'
import { log, note } from '@clack/prompts'
import { dropTyped } from './typed-before.js'

const output = process.stderr

// Some terminals do not say how large they are; nothing could be written into one without columns.
if (output.columns === 0) output.columns = 80
if (output.rows === 0) output.rows = 24

/** Whether a person can be asked here. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && output.isTTY === true
}

/** What every prompt is given, right before it shows. Prompts leave their listeners behind, so each has a signal of its own. */
export async function promptFor(signal: AbortSignal): Promise<{ output: NodeJS.WriteStream; signal: AbortSignal }> {
  await dropTyped()
  return { output, signal: AbortSignal.any([signal]) }
}

/** The value of a prompt; undefined when the person left it, or the ask was withdrawn. */
export function given<T>(value: T): Exclude<T, symbol> | undefined {
  // The only symbol that a prompt resolves to is the one for leaving it.
  return typeof value === 'symbol' ? undefined : (value as Exclude<T, symbol>)
}

export function say(message: string): void {
  log.message(message, { output })
}

export function warn(message: string): void {
  log.warn(message, { output })
}

export function card(title: string, body: string): void {
  note(body, title, { output, format: line => line })
}

export function bold(text: string): string {
  return styleText('bold', text, { stream: output })
}

export function dim(text: string): string {
  return styleText('dim', text, { stream: output })
}

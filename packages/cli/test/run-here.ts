// Runs a command line to its end in this process: a process of its own takes a second to start, and would show nothing more where
// neither a signal nor standard input has a part in it.
import { format } from 'node:util'
import { vi } from 'vitest'
import { run } from '../src/run.js'
import type { Finished } from './beckon.js'

export async function runHere(args: string[]): Promise<Finished> {
  const text = { stdout: '', stderr: '' }
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((...said) => {
      text.stdout += `${format(...said)}\n`
    }),
    vi.spyOn(console, 'error').mockImplementation((...said) => {
      text.stderr += `${format(...said)}\n`
    }),
  ]
  try {
    return { code: await run(args), ...text }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

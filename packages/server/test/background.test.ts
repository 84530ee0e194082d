import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { programOf } from '../../../test/programs/program.mjs'

it('lets the process end that listens in the background', { timeout: 120_000 }, async () => {
  const program = await programOf(new URL('./listens-in-background.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/m)
})

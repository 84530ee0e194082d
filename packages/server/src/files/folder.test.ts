import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { programOf } from '../../../../test/programs/program.mjs'

const run = promisify(execFile)

const hasLimits = await run('bash', ['-c', 'ulimit -f 1']).then(
  () => true,
  () => false,
)

it.skipIf(!hasLimits)('keeps nothing of a file for which there is no room', { timeout: 60_000 }, async () => {
  const path = await mkdtemp(join(tmpdir(), 'beckon-folder-'))
  onTestFinished(() => rm(path, { recursive: true }))
  const program = await programOf(new URL('../../test/files/put-in-folder.ts', import.meta.url))
  // A process that may write files of 2 MB, and is told so, not killed: as on a disk that is full.
  const limited = 'trap "" XFSZ; ulimit -f 2000; exec "$@"'
  const { stdout } = await run('bash', ['-c', limited, '', process.execPath, program, path])
  expect(stdout.trim()).toBe('EFBIG')
  expect(await readdir(path)).toEqual([])
})

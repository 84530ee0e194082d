import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const compiler = new URL('../../../../test/typescript/register.mjs', import.meta.url).href
const source = new URL('./folder.ts', import.meta.url).href

const hasLimits = await run('bash', ['-c', 'ulimit -f 1']).then(
  () => true,
  () => false,
)

it.skipIf(!hasLimits)('keeps nothing of a file for which there is no room', { timeout: 60_000 }, async () => {
  const path = await mkdtemp(join(tmpdir(), 'beckon-folder-'))
  onTestFinished(() => rm(path, { recursive: true }))
  const program = `
    const { folder } = await import(${JSON.stringify(source)})
    async function* bytes() { yield new Uint8Array(3_000_000) }
    console.log(await folder(${JSON.stringify(path)}).put('one', bytes()).then(() => 'kept', ({ code }) => code))`
  // A process that may write files of 2 MB, and is told so, not killed: as on a disk that is full.
  const limited = 'trap "" XFSZ; ulimit -f 2000; exec "$@"'
  const node = [process.execPath, '--conditions=@beckon/source', '--import', compiler]
  const { stdout } = await run('bash', ['-c', limited, '', ...node, '--input-type=module', '-e', program])
  expect(stdout.trim()).toBe('EFBIG')
  expect(await readdir(path)).toEqual([])
})

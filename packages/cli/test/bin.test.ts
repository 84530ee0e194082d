import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const here = join(import.meta.dirname, '..')
const bin = 'bin/beckon.mjs'
let clone = ''

beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'beckon-bin-'))
  await cp(join(here, bin), join(clone, bin))
})

afterEach(() => rm(clone, { recursive: true }))

/** Runs the command as its link does. */
function run(...args: string[]): Promise<{ code: number; said: string }> {
  return new Promise(resolve => {
    execFile(join(clone, bin), args, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), said: `${stdout}${stderr}` })
    })
  })
}

describe('the command in a clone', () => {
  it('is there before anything is built, so that npm links it', async () => {
    const { bin: linked, files } = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'))
    expect(linked).toEqual({ beckon: `./${bin}` })
    expect(files).toContain('bin')
    expect((await stat(join(here, bin))).mode & 0o111).toBe(0o111)
  })

  it('says what to do where nothing is built', async () => {
    expect(await run('demo')).toEqual({ code: 1, said: expect.stringContaining('npm run build') })
  })

  it('runs what is built', async () => {
    await mkdir(join(clone, 'dist'))
    await writeFile(join(clone, 'package.json'), '{ "type": "module" }')
    await writeFile(join(clone, 'dist/main.js'), 'console.log(process.argv.slice(2).join()); process.exitCode = 3')
    expect(await run('call', 'it')).toEqual({ code: 3, said: 'call,it\n' })
  })
})

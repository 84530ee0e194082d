import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { programOf } from '../../../test/programs/program.mjs'
import { readManifest } from './gateway-socket.js'

const program = await programOf(new URL('programs/shop.ts', import.meta.url))
const visitor = await programOf(new URL('programs/visitor.ts', import.meta.url))

vi.setConfig({ testTimeout: 120_000 })

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'beckon-app-exit-'))
})

afterEach(() => rm(home, { recursive: true, force: true }))

/** A program that listens, once it does. */
async function start(ending: string, transport = 'ws'): Promise<ChildProcess> {
  const args = [program, home, ending, transport]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(createInterface(child.stdout), 'line')
  expect(await manifests()).toHaveLength(1)
  return child
}

function manifests(): Promise<string[]> {
  return readdir(join(home, '.tesseron', 'instances'))
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'takes the manifest away on %s, and ends by it',
  async signal => {
    const child = await start('never')
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([null, signal])
    expect(await manifests()).toEqual([])
  },
  60_000,
)

it('takes the manifest away when the program exits', async () => {
  const child = await start('exit')
  child.stdin?.write('now\n')
  expect(await once(child, 'exit')).toEqual([3, null])
  expect(await manifests()).toEqual([])
})

it('leaves a signal to a program that has its own way with it', async () => {
  const child = await start('own')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([5, null])
  expect(await manifests()).toEqual([])
})

it('takes a Unix socket away as well', async () => {
  const child = await start('never', 'uds')
  const [name = ''] = await manifests()
  const { transport } = await readManifest(join(home, '.tesseron', 'instances', name))
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
  expect(await manifests()).toEqual([])
  await expect(access(dirname(transport.path))).rejects.toThrow('ENOENT')
})

it('stays while the gateway that it dials is away, until it is told to stop', async () => {
  const gateway = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  onTestFinished(() => void gateway.close())
  await once(gateway, 'listening')
  const { port } = gateway.address() as AddressInfo
  const args = [visitor, `ws://127.0.0.1:${port}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const exited = once(child, 'exit')
  for (let attempt = 0; attempt < 3; attempt++)
    expect(await Promise.race([once(gateway, 'connection').then(() => 'dials'), exited])).toBe('dials')
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})

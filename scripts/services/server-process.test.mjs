import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isTaken } from './free-port.mjs'
import { findPostgres, startPostgres } from './postgres.mjs'
import { findRedis, startRedis } from './redis.mjs'

const timeout = 60_000

const kinds = [
  { name: 'Redis', program: findRedis(), start: startRedis, file: 'redis.mjs', starter: 'startRedis' },
  { name: 'Postgres', program: findPostgres(), start: startPostgres, file: 'postgres.mjs', starter: 'startPostgres' },
]

describe.each(kinds)('a $name for tests', ({ program, start, file, starter }) => {
  it.skipIf(!program)(
    'is stopped, killed and started again where it was, and leaves nothing',
    { timeout },
    async () => {
      const server = await start()
      const { url, folder } = server
      expect(await isTaken(server.port)).toBe(true)
      for (const end of [server.stop, server.kill]) {
        await end()
        expect(await isTaken(server.port)).toBe(false)
        await server.start()
        expect(server).toMatchObject({ url, folder })
        expect(await isTaken(server.port)).toBe(true)
      }
      await server.end()
      expect(await isTaken(server.port)).toBe(false)
      expect(existsSync(folder)).toBe(false)
      await server.end()
    },
  )

  it.skipIf(!program)('does not outlive a process that was killed', { timeout }, async () => {
    const code = `
      import { ${starter} } from ${JSON.stringify(new URL(file, import.meta.url).href)}
      const { port, folder } = await ${starter}()
      console.log(JSON.stringify({ port, folder }))`
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(owner.stdout, 'data')
    const { port, folder } = JSON.parse(line)
    expect(await isTaken(port)).toBe(true)
    owner.kill('SIGKILL')
    while (existsSync(folder)) await setTimeout(20)
    expect(await isTaken(port)).toBe(false)
  })
})

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { redisStore } from '@beckon/redis'
import { expect, it } from 'vitest'
import { programOf } from '../../../test/programs/program.mjs'

const url = process.env.BECKON_TEST_REDIS ?? ''
const processes = 4
const times = 50

it.skipIf(!url)('loses nothing that several processes change at once', { timeout: 60_000 }, async () => {
  const prefix = randomUUID()
  const program = await programOf(new URL('contender.ts', import.meta.url))
  const contenders = Array.from({ length: processes }, () =>
    spawn(process.execPath, [program, url, prefix, `${times}`], { stdio: 'inherit' }),
  )
  const codes = await Promise.all(contenders.map(async child => (await once(child, 'exit'))[0]))
  expect(codes).toEqual(contenders.map(() => 0))

  const store = redisStore({ url, prefix, warn() {} })
  const total = processes * times
  expect((await store.get('counter'))?.value).toBe(total)
  expect((await store.read('counted')).map(({ value }) => value)).toEqual(
    Array.from({ length: total }, (_, n) => n + 1),
  )
  await store.close()
})

import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { defaultStore, openStore } from './open-store.js'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beckon-store-'))
})

afterAll(() => rm(folder, { recursive: true }))

it.each(['state.db', 'sqlite:state-too.db'])(
  'makes the folder of the SQLite file in %s, and keeps things there',
  async name => {
    const prefix = name.startsWith('sqlite:') ? 'sqlite:' : ''
    const path = join(folder, 'deep', name.slice(prefix.length))
    for (const round of [0, 1]) {
      const store = await openStore(`${prefix}${path}`)
      if (round === 0) await store.set('key', { kept: true })
      expect((await store.get('key'))?.value).toEqual({ kept: true })
      await store.close()
    }
    expect(existsSync(path)).toBe(true)
  },
)

it('has a store that forgets', async () => {
  const store = await openStore('memory')
  expect(store.shared).toBe(false)
  await store.close()
})

it('keeps state with the other data of the person', () => {
  vi.stubEnv('XDG_DATA_HOME', '/somewhere')
  expect(defaultStore('demo')).toBe(join('/somewhere', 'beckon', 'demo.db'))
  vi.unstubAllEnvs()
})

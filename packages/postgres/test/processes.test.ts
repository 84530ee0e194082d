import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { JsonValue } from 'beckon/store'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { programOf } from '../../../test/programs/program.mjs'
import { createTestDatabase, type TestDatabase, url } from './database.js'

const worker = await programOf(new URL('worker.ts', import.meta.url))

describe.skipIf(url === undefined)('several processes', { timeout: 120_000 }, () => {
  let database: TestDatabase

  beforeEach(async () => {
    database = await createTestDatabase()
  })

  afterEach(() => database.remove())

  it('lose nothing and mix nothing up when they write at once', async () => {
    const store = database.open()
    const names = ['a', 'b', 'c', 'd']
    const heard = new Set<JsonValue>()
    await store.subscribe('done', message => heard.add(message))
    const exits = await Promise.all(names.map(name => once(start('contend', name), 'exit')))
    expect(exits).toEqual(names.map(() => [0, null]))
    expect(await store.get('counter')).toMatchObject({ value: 40 })
    const values = (await store.read('log')).map(entry => entry.value)
    expect(values).toHaveLength(80)
    for (const [index, value] of values.entries()) expect(value).toBe(values[index - (index % 2)])
    for (const name of names) expect(values.filter(value => value === name)).toHaveLength(20)
    await vi.waitFor(() => expect([...heard].sort()).toEqual(names), { timeout: 60_000 })
  })

  it('make the schema once when ten of them start together', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `${index}`)
    const exits = await Promise.all(names.map(name => once(start('contend', name), 'exit')))
    expect(exits).toEqual(names.map(() => [0, null]))
    expect(await database.open().get('counter')).toMatchObject({ value: 100 })
    expect(await database.query('select version from $schema.migrations')).toEqual([{ version: 1 }])
  })

  it('leave everything that they were told is written when they are killed', async () => {
    const child = start('append', 'killed')
    const exit = once(child, 'exit')
    let told = 0
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      told = Number(line)
      if (told === 50) child.kill('SIGKILL')
    }
    await exit
    const values = (await database.open().read('log')).map(entry => entry.value)
    expect(told).toBeGreaterThanOrEqual(50)
    expect(values.length).toBeGreaterThanOrEqual(told)
    expect(values).toEqual(values.map((_, index) => index + 1))
  })

  function start(task: string, name: string): ChildProcess {
    const args = [worker, database.url, database.schema, task, name]
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  }
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { JsonValue } from 'beckon/store'
import Libsql from 'libsql'
import { expect, it, vi } from 'vitest'
import { programOf } from '../../../test/programs/program.mjs'
import { createTestFile } from './file.js'

const worker = await programOf(new URL('worker.ts', import.meta.url))

it('loses nothing and mixes nothing up when several processes write at once', { timeout: 120_000 }, async () => {
  const file = await createTestFile()
  try {
    const store = file.open()
    const names = ['a', 'b', 'c', 'd']
    const heard = new Set<JsonValue>()
    await store.subscribe('done', message => heard.add(message))
    const exits = await Promise.all(names.map(name => once(start(file.path, 'contend', name), 'exit')))
    expect(exits).toEqual(names.map(() => [0, null]))
    expect(await store.get('counter')).toMatchObject({ value: 40 })
    const values = (await store.read('log')).map(entry => entry.value)
    expect(values).toHaveLength(80)
    for (const [index, value] of values.entries()) expect(value).toBe(values[index - (index % 2)])
    for (const name of names) expect(values.filter(value => value === name)).toHaveLength(20)
    await vi.waitFor(() => expect([...heard].sort()).toEqual(names), { timeout: 60_000 })
  } finally {
    await file.remove()
  }
})

it('has made the file ready for ten processes that start together, once', { timeout: 120_000 }, async () => {
  const file = await createTestFile()
  try {
    const names = Array.from({ length: 10 }, (_, index) => `${index}`)
    const exits = await Promise.all(names.map(name => once(start(file.path, 'contend', name), 'exit')))
    expect(exits).toEqual(names.map(() => [0, null]))
    expect(await file.open().get('counter')).toMatchObject({ value: 100 })
    expect(new Libsql(file.path).prepare('select version from migrations').all([])).toMatchObject([{ version: 1 }])
  } finally {
    await file.remove()
  }
})

it('has everything that a process was told is written when it is killed', { timeout: 120_000 }, async () => {
  const file = await createTestFile()
  try {
    const child = start(file.path, 'append', 'killed')
    const exit = once(child, 'exit')
    let told = 0
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      told = Number(line)
      if (told === 50) child.kill('SIGKILL')
    }
    await exit
    const values = (await file.open().read('log')).map(entry => entry.value)
    expect(told).toBeGreaterThanOrEqual(50)
    expect(values.length).toBeGreaterThanOrEqual(told)
    expect(values).toEqual(values.map((_, index) => index + 1))
  } finally {
    await file.remove()
  }
})

function start(path: string, task: string, name: string): ChildProcess {
  return spawn(process.execPath, [worker, path, task, name], { stdio: ['ignore', 'pipe', 'inherit'] })
}

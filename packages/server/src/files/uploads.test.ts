import { expect, it } from 'vitest'
import type { FileSchema } from '../author/file-schema.js'
import { memoryStore } from '../store/memory-store.js'
import { FlowUploads } from './uploads.js'

const one = { maxFiles: 1, isMany: false } as FileSchema
const many = { maxFiles: 1, isMany: true } as FileSchema
const hourMs = 60 * 60 * 1000

function setUp() {
  const store = memoryStore()
  const dropped: string[] = []
  const place = {
    put: async () => {},
    get: () => new ReadableStream(),
    delete: async (id: string) => void dropped.push(id),
  }
  let now = Date.now()
  const uploads = new FlowUploads({ store, place, flowId: 'f', expiresAt: now + 10 * hourMs, now: () => now })
  const file = (id: string) => ({ id, name: 'a', type: 'text/plain', size: 1, digest: 'd' })
  return { store, dropped, uploads, file, pass: (ms: number) => (now += ms) }
}

it('keeps what was sent when another upload ends late, and nothing of that', async () => {
  const { uploads, file, dropped, store } = setUp()
  const a = await uploads.begin('f', one)
  await uploads.finish('f', file(a), one)
  const b = await uploads.begin('f', one)
  await uploads.keep([a])
  await expect(uploads.finish('f', file(b), one)).rejects.toThrow('too late')
  expect(dropped).toEqual([b])
  expect(await store.count('files/unfinished', { upTo: 9 })).toBe(0)
  await expect(uploads.begin('f', one)).rejects.toThrow('sent already')
})

it('has what was sent for whoever has to send it again, when the store was away at the end', async () => {
  const { uploads, file, dropped } = setUp()
  const a = await uploads.begin('f', one)
  await uploads.finish('f', file(a), one)
  await uploads.keep([a])
  expect((await uploads.received()).f).toEqual([file(a)])
  await uploads.keep([a])
  expect(dropped).toEqual([])
})

it('keeps nothing that comes after somebody declined', async () => {
  const { uploads, file, dropped } = setUp()
  const a = await uploads.begin('f', one)
  await uploads.removeAll()
  await expect(uploads.finish('f', file(a), one)).rejects.toThrow('too late')
  expect(dropped).toEqual([a])
})

it('takes no more files than were asked for, however slowly they come', async () => {
  const { uploads, file, pass } = setUp()
  const slow = await uploads.begin('f', many)
  pass(2 * hourMs)
  const next = await uploads.begin('f', many)
  await uploads.finish('f', file(next), many)
  await expect(uploads.finish('f', file(slow), many)).rejects.toThrow('too late')
  expect((await uploads.received()).f).toHaveLength(1)
})

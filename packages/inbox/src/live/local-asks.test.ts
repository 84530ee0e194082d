import type { Answer } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LocalAsks } from './local-asks.js'

// What of a browser's storage is used, over a Map: there is none in Node.
const kept = new Map<string, string>()
beforeEach(() => {
  const methods = {
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
    getItem: (name: string) => kept.get(name) ?? null,
  }
  // The names of what is kept are its own properties, as in a browser.
  const names = {
    ownKeys: () => [...kept.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  }
  vi.stubGlobal('localStorage', new Proxy(methods, names))
})
afterEach(() => {
  vi.unstubAllGlobals()
  kept.clear()
})

const owner = { url: 'ws://desk/live', principal: 'ana' }
const ask: AskEntry = {
  session: 's',
  server: 'shop',
  title: 'Shop',
  request: { id: 'r', questions: [{ id: 'q', kind: 'text', message: '' }] },
  askedAt: 1,
  expiresAt: 2,
}
const draft = (text: string): Answer => ({ state: 'draft', value: { kind: 'text', value: text } })
const snapshot = (...asks: AskEntry[]) => ({ resource: 'beckon-asks://', state: { asks }, fromSeq: 1 })

function withDraft(): LocalAsks {
  const asks = new LocalAsks('me')
  asks.take(snapshot(ask))
  asks.belongTo(owner)
  asks.do(ask, { kind: 'draft', questionId: 'q', answer: draft('half') })
  expect(kept.size).toBe(1)
  return asks
}

it('keeps no draft in the browser that the desk had already when the connection came back', () => {
  const asks = withDraft()
  asks.take(snapshot({ ...ask, request: { ...ask.request, answers: { q: draft('half') } } }))
  expect(asks.toSend()).toEqual([])
  expect(kept.size).toBe(0)
})

it('keeps no draft in the browser of an ask that was gone when the connection came back', () => {
  const asks = withDraft()
  asks.take(snapshot())
  expect(asks.toSend()).toEqual([])
  expect(kept.size).toBe(0)
})

it('keeps a draft that is sent again', () => {
  const asks = withDraft()
  asks.take(snapshot(ask))
  expect(asks.toSend()).toHaveLength(1)
  expect(kept.size).toBe(1)
})

it('answers no other ask that has the name of one which went while the connection was away', () => {
  const asks = withDraft()
  asks.do(ask, { kind: 'completion', response: 'accept' })
  const other = { ...ask, askedAt: 5, request: { ...ask.request, message: 'Pay a million?' } }
  asks.take(snapshot(other))
  expect(asks.toSend()).toEqual([])
  expect(asks.noticeOf(other)).toEqual({ kind: 'beaten' })
  expect(kept.size).toBe(0)
})

it('keeps no draft in the browser once its person has signed out, not even one that comes late', () => {
  const asks = withDraft()
  asks.forget()
  expect(kept.size).toBe(0)
  asks.do(ask, { kind: 'draft', questionId: 'q', answer: draft('half of it') })
  expect(kept.size).toBe(0)
})

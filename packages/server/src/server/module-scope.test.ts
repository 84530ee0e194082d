import { afterEach, expect, it, vi } from 'vitest'
import { createServer } from './create-server.js'

afterEach(() => vi.restoreAllMocks())

it('asks for nothing random and sets no timer while a server is made, which some runtimes forbid while modules are loaded', () => {
  const forbidden = [
    vi.spyOn(crypto, 'getRandomValues'),
    vi.spyOn(crypto, 'randomUUID'),
    vi.spyOn(globalThis, 'setTimeout'),
    vi.spyOn(globalThis, 'setInterval'),
  ]
  createServer({ name: 'shop', version: '1.0.0' }).tool('clear', {}, async (_input, ctx) => {
    await ctx.confirm('Clear?')
  })
  expect(forbidden.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0, 0])
})

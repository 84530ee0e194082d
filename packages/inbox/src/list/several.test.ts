import type { AskEntry } from '@beckon/core/asks'
import { expect, it } from 'vitest'
import { sortSeveral } from './several.js'

const asked = (id: string, request: object = {}): AskEntry => ({
  session: 's',
  server: 'shop',
  title: 'Shop',
  askedAt: 0,
  expiresAt: 1,
  request: { id, message: 'Sure?', ...request },
})

it('leaves out of several what has to be looked at by itself, and says why', () => {
  const plain = asked('plain')
  const { acceptable, declinable, leftOut } = sortSeveral([
    plain,
    asked('shows', { _meta: { 'beckon/show': [{ kind: 'code', text: 'a' }] } }),
    asked('page', { url: 'https://a.example/' }),
    asked('destroys', { _meta: { 'beckon/destructive': true } }),
    asked('passkey', { _meta: { 'beckon/person': 'verified' } }),
  ])
  expect(acceptable).toEqual([plain])
  expect(declinable).toHaveLength(5)
  expect(leftOut).toEqual({ destructive: 1, passkey: 1, toFill: 2 })
})

import type { AskEntry } from '@beckon/core/asks'
import { expect, it } from 'vitest'
import { wantedRule } from './wanted-rule.js'

const ask = (about: object): AskEntry => ({
  session: 's',
  server: 'shop',
  title: 'Shop',
  request: { id: 'r', _meta: { 'beckon/tool': 'refund', ...about } },
  askedAt: 1,
  expiresAt: 2,
})
const choice = { scope: 'these-arguments', days: 7 } as const

it('is about exactly this call, unless someone wants more', () => {
  const match = { server: 'shop', tool: 'refund' }
  const rest = { effect: 'allow', own: true, until: '1970-01-08T00:00:00.000Z' }
  const given = { 'beckon/arguments': { order: 41 } }
  expect(wantedRule(ask(given), choice, 0)).toEqual({ ...rest, match: { ...match, exactArguments: { order: 41 } } })
  expect(wantedRule(ask({}), choice, 0)).toEqual({ ...rest, match: { ...match, exactArguments: {} } })
  expect(wantedRule(ask(given), { ...choice, scope: 'any-arguments' }, 0)).toEqual({ ...rest, match })
})

it('says so where the tool can destroy something', () => {
  const about = { 'beckon/destructive': true }
  expect(wantedRule(ask(about), { ...choice, scope: 'any-arguments' }, 0).match).toEqual({
    server: 'shop',
    tool: 'refund',
    destructive: true,
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appliesTo, rulingOn } from './decide.js'
import { isLike } from './like.js'
import type { Rule, RuledCall } from './rule.js'

const call: RuledCall = {
  server: 'shop',
  tool: 'refund',
  input: { amount: 40, to: { country: 'FR' }, 'a/b': 'x' },
  principal: 'ada',
  groups: ['support'],
}
const rule = (id: string, effect: Rule['effect'], match: Rule['match'], more: Partial<Rule> = {}): Rule => ({
  id,
  effect,
  match,
  ...more,
})
const decided = (rules: Rule[], about: Partial<RuledCall> = {}, now = 0) => {
  const ruling = rulingOn(rules.filter(one => appliesTo(one, { ...call, ...about }, now) === true))
  return ruling && ('general' in ruling ? ruling.general.id : ruling.own.map(({ id }) => id).join())
}

describe('which rule decides', () => {
  it('none, where none is about the call', () => {
    expect(decided([])).toBeUndefined()
    expect(decided([rule('other', 'deny', { tool: 'pay' })])).toBeUndefined()
  })

  it('the one that says most about it, in whatever order', () => {
    const rules = [
      rule('all', 'deny', {}),
      rule('tool', 'ask', { tool: 'refund' }),
      rule('small', 'allow', { tool: 'refund', arguments: { amount: { max: 50 } } }),
    ]
    expect(decided(rules)).toBe('small')
    expect(decided([...rules].reverse())).toBe('small')
    expect(decided(rules, { input: { amount: 51 } })).toBe('tool')
    expect(decided(rules, { tool: 'pay' })).toBe('all')
  })

  it('of those that say as much, the strictest', () => {
    const rules = (['allow', 'deny', 'ask'] as const).map(effect => rule(effect, effect, { tool: 'refund' }))
    expect(decided(rules)).toBe('deny')
    expect(decided(rules.filter(({ effect }) => effect !== 'deny'))).toBe('ask')
  })

  it.each<[string, Rule['match'], boolean]>([
    ['a server by name', { server: 'shop' }, true],
    ['a part of a name', { tool: 'ref*d' }, true],
    ['another tool', { tool: 'ref*x' }, false],
    ['one of several values', { arguments: { amount: { oneOf: [40, 50] } } }, true],
    ['a value inside another', { arguments: { '/to/country': 'FR' } }, true],
    ['a value inside another, by its bare name', { arguments: { country: 'FR' } }, false],
    ['a name with a slash', { arguments: { '/a~1b': 'x' } }, true],
    ['a prefix', { arguments: { '/to/country': { prefix: 'F' } } }, true],
    ['a pattern', { arguments: { '/to/country': { like: '*R' } } }, true],
    ['a range of a text', { arguments: { '/to/country': { min: 0 } } }, false],
    ['a number written as a text', { arguments: { amount: '40' } }, false],
    ['what every object inherits', { arguments: { '/to/constructor/name': 'Object' } }, false],
    ['exactly these arguments', { exactArguments: { 'a/b': 'x', to: { country: 'FR' }, amount: 40 } }, true],
    ['exactly others', { exactArguments: { amount: 40 } }, false],
    ['who called', { principal: 'ada' }, true],
    ['a group of who called', { group: 'support' }, true],
    ['another group', { group: 'admins' }, false],
    ['what can destroy nothing', { destructive: false }, true],
  ])('a rule about %s', (_what, match, expected) => {
    expect(decided([rule('r', 'ask', match)])).toBe(expected ? 'r' : undefined)
  })

  it('of what is none, one about exactly no arguments, and of null none', () => {
    const rules = [rule('r', 'allow', { tool: 'refund', exactArguments: {} })]
    expect([undefined, {}, null, []].map(input => decided(rules, { input }))).toEqual(['r', 'r', undefined, undefined])
  })

  it('none that begins later, or is over', () => {
    const rules = [rule('r', 'deny', {}, { from: 10, until: 20 })]
    expect([9, 10, 19, 20].map(now => decided(rules, {}, now))).toEqual([undefined, 'r', 'r', undefined])
  })

  it('never one that allows what can destroy something without saying so', () => {
    const rules = [rule('any', 'allow', { tool: 'refund' })]
    expect(decided(rules, { destructive: true })).toBeUndefined()
    expect(decided([rule('said', 'allow', { destructive: true })], { destructive: true })).toBe('said')
  })

  it("people's own, and not against a rule for the whole desk that asks or denies", () => {
    const own = rule('own', 'allow', { tool: 'refund', exactArguments: call.input }, { owner: 'ada' })
    expect(decided([own])).toBe('own')
    expect(decided([own, rule('ask', 'ask', { server: 'shop' })])).toBe('ask')
    expect(decided([own, rule('deny', 'deny', {})])).toBe('deny')
    expect(decided([own, rule('allow', 'allow', {})])).toBe('allow')
  })

  it('of each person the strongest, and a no of anyone before all that allow', () => {
    const ada = rule('a', 'allow', { tool: 'refund' }, { owner: 'ada' })
    const bob = rule('b', 'allow', { tool: 'refund' }, { owner: 'bob' })
    const askMe = rule('me', 'ask', { tool: 'refund', arguments: { amount: { min: 30 } } }, { owner: 'bob' })
    const no = rule('no', 'deny', {}, { owner: 'eve' })
    expect(decided([ada, bob])).toBe('a,b')
    expect(decided([ada, bob, askMe])).toBe('a')
    expect(decided([ada, bob, no, rule('allow', 'allow', { tool: 'refund' })])).toBe('no')
  })
})

describe('a pattern', () => {
  it('is what a regular expression with .* in place of * finds', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 }), letters, (text, pattern) => {
        expect(isLike(text, pattern)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text))
      }),
    )
  })

  it.each([
    ['many stars', `${'a*'.repeat(99)}b`],
    ['a part that is almost there everywhere', `*${'a'.repeat(198)}b`],
    ['one that is there but for its beginning', `*b${'a'.repeat(197)}*`],
    ['halves', `*${'a'.repeat(98)}b${'a'.repeat(98)}*`],
  ])('takes no longer for being made to be slow: %s', (_how, pattern) => {
    const began = process.cpuUsage().user
    expect(pattern.length).toBeLessThanOrEqual(200)
    expect(isLike('a'.repeat(250_000), pattern)).toBe(false)
    expect(process.cpuUsage().user - began).toBeLessThan(1_000_000)
  })
})

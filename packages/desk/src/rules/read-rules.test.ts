import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readRule, readRules } from './read-rules.js'

const mistakes = (text: string) => {
  const read = readRules(text)
  return 'mistakes' in read ? read.mistakes : []
}

describe('a file of rules', () => {
  it('has rules, comments, and times as people write them', () => {
    const text = `{
      // Small refunds need nobody.
      "rules": [
        { "id": "small", "effect": "allow", "match": { "tool": "refund", "arguments": { "amount": { "max": 50 } } } },
        { "id": "prod", "effect": "ask", "match": { "server": "deploy*", "destructive": true },
          "audience": { "groups": ["ops"] }, "quorum": 2, "until": "2027-01-31T00:00:00Z" },
      ]
    }`
    expect(readRules(text)).toMatchObject({
      rules: [
        { id: 'small', effect: 'allow', match: { arguments: { amount: { max: 50 } } } },
        { id: 'prod', quorum: 2, until: Date.UTC(2027, 0, 31) },
      ],
    })
  })

  it.each([
    ['no list', '{}', 1, 'list called "rules"'],
    ['half a file', '{\n"rules": [', 2, 'not JSON'],
    ['another option', '{ "rules": [],\n"rule": 1 }', 2, '"rule" is not an option'],
    ['an effect that is none', '{"rules": [\n{ "id": "a",\n "effect": "permit", "match": {} }]}', 3, '"effect"'],
    ['no match at all', '{"rules": [\n{ "id": "a", "effect": "deny" }]}', 2, '"match"'],
    ['a misspelled condition', rule('{ "tools": "x" }'), 3, '"match": "tools" is not known here. Write tool.'],
    ['a misspelled member', rule('{}', '"quorun": 2', 'ask'), 2, '"quorun" is not known here. Write quorum.'],
    ['a condition that nobody knows', rule('{ "arguments": { "a": { "regex": "(a+)+" } } }'), 3, '"match.arguments.a"'],
    ['an empty range', rule('{ "arguments": { "a": {} } }'), 3, '"match.arguments.a"'],
    ['an argument that no object keeps', rule('{ "arguments": { "a": 1, "__proto__": 2 } }'), 2, '"__proto__"'],
    ['the same further inside', rule('{ "exactArguments": { "a": { "__proto__": {} } } }'), 2, '"__proto__"'],
    ['a time that is none', rule('{}', '"until": "tomorrow"'), 3, '"until"'],
    ['an audience for what is denied', rule('{}', '"audience": { "groups": ["ops"] }'), 3, '"audience"'],
    ['an audience of nobody', rule('{}', '"audience": {}', 'ask'), 3, 'names nobody'],
    [
      'more people than are asked',
      rule('{}', '"quorum": 2, "audience": { "principals": ["a", "a"] }', 'ask'),
      3,
      'more people',
    ],
    [
      'two of one name',
      '{"rules": [\n{"id":"a","effect":"deny","match":{}},\n{"id":"a","effect":"ask","match":{}}]}',
      3,
      'two',
    ],
  ])('says where it has %s, and what is wrong', (_what, text, line, reason) => {
    expect(mistakes(text)).toContainEqual({ line, reason: expect.stringContaining(reason) })
  })

  it('is as the documentation shows one', () => {
    const page = readFileSync(new URL('../../../../docs/rules.md', import.meta.url), 'utf8')
    const [, example = ''] = /```json\n([\s\S]+?)```/.exec(page) ?? []
    expect(readRules(example)).toMatchObject({ rules: [{ id: 'small' }, { id: 'prod', quorum: 2 }, { id: 'no-drop' }] })
  })

  it('says everything that is wrong at once', () => {
    expect(mistakes('{"rules": [\n{ "id": "a b" },\n{ "effect": "no", "match": {} }]}').length).toBeGreaterThan(3)
  })
})

/** A rule on the third line. */
function rule(match: string, more?: string, effect = 'deny'): string {
  return `{"rules": [\n{ "id": "a", "effect": "${effect}",\n "match": ${match}${more === undefined ? '' : `, ${more}`} }]}`
}

describe('what no rule can be', () => {
  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('is a mistake where it is nested 100,000 times in %j', (open, close) => {
    const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`
    const text = `{"rules":[{"id":"x","effect":"deny","match":{"exactArguments":${deep}}}]}`
    expect(mistakes(text)).toEqual([{ line: 1, reason: 'This is nested too deeply for rules.' }])
  })

  it('is a mistake where a member of it is called as no member can be, which would be left out', () => {
    for (const match of ['{"arguments":{"a":1,"__proto__":2}}', '{"exactArguments":{"a":{"__proto__":{}}}}'])
      expect(readRule(JSON.parse(`{"id":"x","effect":"deny","match":${match}}`))).toBe(
        'A rule: has a member called "__proto__".',
      )
  })

  it('is a mistake where it has a length that nothing can be compared with', () => {
    const server = { length: { toString: 1, valueOf: 1 } }
    const rule = { id: 'x', effect: 'deny', match: { server } }
    expect(readRule(rule)).toBe('A rule: has a value that cannot be read.')
    expect(mistakes(`{"rules":[\n${JSON.stringify(rule)}]}`)).toEqual([
      { line: 2, reason: 'A rule: has a value that cannot be read.' },
    ])
  })
})

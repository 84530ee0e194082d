import { checkAnswer, describeFieldProblem, inspectUrl, type Question, type Value } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { de } from './de.js'
import { ago, duration } from './durations.js'
import { en } from './en.js'
import { panelStrings } from './panel.js'
import { languageFor, loadLanguage } from './strings.js'

it('takes the first language that it has, which is loaded when it is wanted', async () => {
  const wanted = ['fr-FR', 'de-AT', 'en']
  expect(languageFor(wanted).tag).toBe('en')
  await loadLanguage(wanted)
  expect(languageFor(wanted)).toEqual({ tag: 'de-AT', strings: de })
  expect(loadLanguage(wanted)).toBe(undefined)
  expect(languageFor(['fr']).tag).toBe('en')
  expect(loadLanguage(['fr', 'toString'])).toBe(undefined)
})

it('says everything in both languages', () => {
  const shapeOf = (texts: object): string[] =>
    Object.entries(texts).flatMap(([name, text]) =>
      typeof text === 'object' && text !== null ? shapeOf(text).map(inner => `${name}.${inner}`) : [name],
    )
  expect(shapeOf(de).sort()).toEqual(shapeOf(en).sort())
  expect(shapeOf(panelStrings('de-CH')).sort()).toEqual(shapeOf(panelStrings('en')).sort())
  expect(panelStrings('fr')).toBe(panelStrings('en'))
})

describe('what the model says', () => {
  const question = { id: 'q', title: 'Q', message: 'Q' }
  const options = [{ id: 'a', label: 'A' }]
  const text = (value: string) => ({ kind: 'text' as const, value })
  const number = (value: number) => ({ kind: 'number' as const, value })
  const many = (...value: string[]) => ({ kind: 'selected-many' as const, value })
  const wrong: [Question, Value][] = [
    [{ ...question, kind: 'text', min: 3 }, text('a')],
    [{ ...question, kind: 'text', max: 1 }, text('abc')],
    [{ ...question, kind: 'text', format: 'email' }, text('a')],
    [{ ...question, kind: 'text', format: 'uri' }, text('a')],
    [{ ...question, kind: 'text', format: 'date' }, text('a')],
    [{ ...question, kind: 'text', format: 'date-time' }, text('a')],
    [{ ...question, kind: 'number' }, number(Number.NaN)],
    [{ ...question, kind: 'integer' }, number(1.5)],
    [{ ...question, kind: 'number', min: 1.5 }, number(0)],
    [{ ...question, kind: 'number', max: -3 }, number(0)],
    [
      { ...question, kind: 'single-select', options },
      { kind: 'selected', value: 'z' },
    ],
    [
      { ...question, kind: 'single-select', options },
      { kind: 'selected', value: '', freeformValues: ['mine'] },
    ],
    [{ ...question, kind: 'multi-select', options }, many('z')],
    [{ ...question, kind: 'multi-select', options, min: 2 }, many('a')],
    [{ ...question, kind: 'multi-select', options, max: 0 }, many('a')],
  ]

  it.each(wrong)('of an answer to %j is said in German', (question, value) => {
    const problem = checkAnswer(question, { state: 'submitted', value })
    if (problem === undefined) throw new Error('The answer is good.')
    expect(en.problem(problem)).toBe(describeFieldProblem(problem))
    expect(de.problem(problem)).toMatch(/^[A-ZÄÖÜ].*\.$/)
    expect(de.problem(problem)).not.toBe(en.problem(problem))
    expect(de.problem(problem)).not.toContain('undefined')
  })

  it.each([
    ['user-info', 'https://bank.com@evil.com'],
    ['disguised', 'https://%65vil.com'],
    ['invisible', 'https://example.com/\u202e'],
    ['look-alike', 'https://xn--80ak6aa92e.com'],
    ['mixed-script', 'https://b\u0436nk.com'],
    ['odd-letters', 'https://xn--n3h.com'],
    ['ip-address', 'https://93.184.216.34'],
    ['punycode', 'https://xn--bcher-kva.example'],
    ['embedded-domain', 'https://bank.com.evil.example'],
    ['loopback', 'http://localhost:3000'],
    ['port', 'https://example.com:8443'],
  ])('of a link with %s is said in German', (kind, url) => {
    const link = inspectUrl(url)
    const warning = link.kind === 'ok' ? link.warnings.find(warning => warning.kind === kind) : undefined
    if (link.kind !== 'ok' || warning === undefined) throw new Error(`There is no such warning of ${url}.`)
    const said = de.urlWarning(warning, link)
    expect(said).not.toBe(warning.message)
    expect(said).not.toContain('undefined')
    expect(en.urlWarning(warning, link)).toBe(warning.message)
  })

  it.each(['example.com', 'ftp://example.com', 'https://', 'http://example.com'])('of %s is said in German', url => {
    const link = inspectUrl(url)
    if (link.kind !== 'refused') throw new Error(`${url} is not refused.`)
    expect(de.urlRefused(link)).toMatch(/^[A-ZÄÖÜ].*\.$/)
    expect(de.urlRefused(link)).not.toBe(link.message)
  })
})

it('gives times in one unit', () => {
  expect(duration(3 * 60_000 + 59_000, 'en')).toBe('3 min')
  expect(duration(26 * 3_600_000, 'en')).toBe('1 day')
  expect(duration(-5, 'en')).toBe('0 sec')
  expect(ago(0, 5 * 60_000, 'en')).toBe('5 min. ago')
  expect(ago(0, 59_000, 'en')).toBe('now')
})

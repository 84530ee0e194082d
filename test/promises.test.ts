// What docs/security.md and SECURITY.md promise, they promise by the sentence: a row of a table, with the tests that hold it, by words
// that are in them. Whatever else is said there is set apart with a bar, or is in a part that promises nothing. The threat model has its
// tests in the same way.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const textOf = (page: string) => readFileSync(new URL(page, root), 'utf8')

/** Parts of a page that promise nothing: what is not defended, and what the tests write. */
const unpromised = ['Attacks, and what each one got', 'Not defended', 'What we do not']

interface Line {
  readonly text: string
  /** The cells of a row; of anything else none. */
  readonly cells: readonly string[]
}

/** The lines of a page in which something may be promised, without headings, heads of tables and what is set apart. */
function linesOf(page: string): Line[] {
  const [, ...parts] = textOf(page).split(/^## /m)
  return parts
    .filter(part => !unpromised.includes(part.split('\n')[0] ?? ''))
    .flatMap(part => part.split('\n').slice(1))
    .filter(line => line !== '' && !/^(#|>|\|---|\| what holds \|)/.test(line))
    .map(text => ({ text, cells: /^\| (.+) \|$/.exec(text)?.[1]?.split(' | ') ?? [] }))
}

/** The tests that a text names, each by words of its own. */
function testsIn(text: string): { path: string; words: string }[] {
  const links = text.matchAll(/\[([^\]]+)\]\((?:\.\.\/)?((?:packages|test|fuzz)\/[^)]+)\)/g)
  return Array.from(links, ([, words = '', path = '']) => ({ path, words }))
}

/** The parts of the tables that the tests write, by what stands in their first column. */
function attacked(): ReadonlySet<string> {
  const [, tables = ''] = textOf('docs/security.md').split('## Attacks, and what each one got')
  return new Set(Array.from(tables.matchAll(/^\| ([^|]+?) \|/gm), ([, family = '']) => family))
}

const familiesIn = (text: string) => Array.from(text.matchAll(/\*([^*]+)\*/g), ([, family = '']) => family)

describe.each([
  ['docs/security.md', 60],
  ['SECURITY.md', 6],
] as const)('%s', (page, atLeast) => {
  const lines = linesOf(page)

  it('promises by the sentence, each with what holds it', () => {
    expect(lines.length).toBeGreaterThanOrEqual(atLeast)
    const isPromise = ({ cells: [sentence = '', heldBy = '', ...rest] }: Line) =>
      rest.length === 0 && /^[^.!?]+(?:[.!?](?! |$)[^.!?]+)*\.$/.test(sentence) && heldBy !== ''
    expect(lines.filter(line => !isPromise(line)).map(({ text }) => text)).toEqual([])
  })

  it('names tests that are there, by words of theirs, or a part of the tables', () => {
    const families = attacked()
    for (const { text, cells } of lines) {
      const [, heldBy = ''] = cells
      const [tests, named] = [testsIn(heldBy), familiesIn(heldBy)]
      expect(tests.length + named.length, text).toBeGreaterThan(0)
      for (const { path, words } of tests) expect(textOf(path), `${words} in ${path}`).toContain(words)
      expect(named.filter(family => !families.has(family))).toEqual([])
    }
  })
})

it('names in every line of the threat model tests by words of theirs, or says that it is not defended', () => {
  const rows = [...textOf('docs/threat-model.md').matchAll(/^\| (?!what could go wrong|---)(.*) \|$/gm)]
  expect(rows.length).toBeGreaterThan(100)
  for (const [row, cells = ''] of rows) {
    const [, holds = '', heldBy = ''] = cells.split(' | ')
    const tests = testsIn(heldBy)
    if (!/\bnot defended\b/.test(holds)) expect(tests.length, row).toBeGreaterThan(0)
    for (const { path, words } of tests) expect(textOf(path), `${words} in ${path}`).toContain(words)
  }
})

it.each(['docs/fuzzing.md', 'docs/keys.md'])('names in %s tests that are there', page => {
  const named = Array.from(
    textOf(page).matchAll(/`((?:packages|test|fuzz)\/[\w./-]+\.m?[jt]s)`/g),
    ([, path = '']) => path,
  )
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(path => !existsSync(new URL(path, root)))).toEqual([])
})

// A promise of docs/security.md and SECURITY.md names what holds it. What it names has to be there.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const textOf = (page: string) => readFileSync(new URL(page, root), 'utf8')

it.each(['docs/security.md', 'docs/threat-model.md', 'docs/fuzzing.md', 'docs/keys.md', 'SECURITY.md'])(
  'names in %s tests that are there',
  page => {
    const named = [...textOf(page).matchAll(/`((?:packages|test|fuzz)\/[\w./-]+\.m?[jt]s)`/g)].map(
      ([, path = '']) => path,
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter(path => !existsSync(new URL(path, root)))).toEqual([])
  },
)

it('names behind every promise of docs/security.md a test, or a part of the tables', () => {
  const [promises = '', tables = ''] = textOf('docs/security.md').split('## Attacks, and what each one got')
  const families = new Set([...tables.matchAll(/^\| ([^|]+?) \|/gm)].map(([, family = '']) => family))
  const named = [...promises.matchAll(/\*([A-Z`][^*\n]+)\*/g)].map(([, family = '']) => family)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(family => !families.has(family))).toEqual([])
  const [, ...said] = paragraphsOf(promises)
  expect(said.length).toBeGreaterThan(30)
  expect(said.filter(paragraph => !isHeld(paragraph) && !paragraph.startsWith('Not found:'))).toEqual([])
})

it('names a test behind every promise of SECURITY.md', () => {
  const [, promises = ''] = textOf('SECURITY.md').split(/^## What we (?:defend|do not)$/m)
  const [, ...said] = paragraphsOf(promises)
  expect(said.length).toBeGreaterThan(3)
  expect(said.filter(paragraph => !isHeld(paragraph))).toEqual([])
})

/** The paragraphs and the items of lists, without headings. */
function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\n|\n(?=- )/)
    .map(paragraph => paragraph.trim())
    .filter(paragraph => paragraph !== '' && !paragraph.startsWith('#'))
}

/** Whether something names a test, or a part of the tables that the tests write. */
function isHeld(paragraph: string): boolean {
  return /`(packages|test|fuzz)\/[^`]+\.m?[jt]s`|\*[A-Z`][^*]+\*/.test(paragraph)
}

it('names in every line of the threat model a test, or says that it is not defended', () => {
  const lines = [...textOf('docs/threat-model.md').matchAll(/^\| (?!what could go wrong|---)(.+) \|$/gm)]
  expect(lines.length).toBeGreaterThan(40)
  const unheld = lines
    .map(([, line = '']) => line)
    .filter(line => !/`(packages|test|fuzz)\/[^`]+\.m?[jt]s`|not defended/.test(line))
  expect(unheld).toEqual([])
})

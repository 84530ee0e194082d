import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines, diffRows } from './diff-lines.js'

const drawn = (before: string, after: string) =>
  diffRows(before, after).map(row => (row.kind === 'skipped' ? `..${row.lines}` : `${row.kind[0]} ${row.text}`))

describe('diffLines', () => {
  it('gives back both texts, and no more changes than taking all out and putting all in', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 20 })
      .map(lines => lines.map(l => `${l}\n`).join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after)
        const of = (kind: string) => lines.filter(line => line.kind !== kind).map(line => `${line.text}\n`)
        expect(of('added').join('')).toBe(before)
        expect(of('removed').join('')).toBe(after)
      }),
    )
  })

  it('finds the shortest way', () => {
    const changes = diffLines('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc').filter(({ kind }) => kind !== 'same')
    expect(changes).toHaveLength(5)
  })

  it('takes all out and puts all in where too much differs to look for', () => {
    const many = (letter: string) => Array.from({ length: 5_000 }, (_, index) => `${letter}${index}`).join('\n')
    const lines = diffLines(many('a'), many('b'))
    expect(lines.slice(0, 5_000).every(({ kind }) => kind === 'removed')).toBe(true)
    expect(lines).toHaveLength(10_000)
  })

  it('does not mind how lines end', () => {
    expect(diffLines('a\r\nb\rc', 'a\nb\nc\n').every(({ kind }) => kind === 'same')).toBe(true)
    expect(diffLines('', '')).toEqual([])
  })
})

describe('diffRows', () => {
  const numbers = Array.from({ length: 20 }, (_, index) => String(index))

  it('leaves out what did not change, and says how much', () => {
    const after = numbers.with(10, 'ten').join('\n')
    const around = ['s 7', 's 8', 's 9', 'r 10', 'a ten', 's 11', 's 12', 's 13']
    expect(drawn(numbers.join('\n'), after)).toEqual(['..7', ...around, '..6'])
  })

  it('shows the beginning and the end where they change', () => {
    expect(drawn('a\nb', 'b\nc')).toEqual(['r a', 's b', 'a c'])
    expect(drawn('same', 'same')).toEqual(['..1'])
  })
})

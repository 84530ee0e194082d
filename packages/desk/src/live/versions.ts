import { type Dialect, dialectOf, dialects, dialectTraits } from '@beckon/core/live'

/** A version that both sides speak. */
export interface Version {
  /** As the client wrote it. */
  readonly text: string
  readonly dialect: Dialect
}

/** For a client that has none of them: ranges, the newest first. */
export const supportedVersions: readonly string[] = dialects.map(dialect => {
  const { from, before } = dialectTraits[dialect]
  return `>=${from.join('.')}.0 <${before.join('.')}.0`
})

/** The newest of the versions that a client offers. What is not a version counts for nothing. */
export function negotiate(offered: readonly unknown[]): Version | undefined {
  const known = offered.flatMap(text => {
    const numbers = numbersOf(text)
    if (numbers === undefined) return []
    const dialect = dialectOf([numbers[0], numbers[1]])
    return dialect === undefined ? [] : [{ text: String(text), dialect, numbers }]
  })
  const [newest] = known.sort((a, b) => compare(b.numbers, a.numbers))
  return newest && { text: newest.text, dialect: newest.dialect }
}

type Numbers = readonly [major: number, minor: number, patch: number]

function numbersOf(text: unknown): Numbers | undefined {
  const match = typeof text === 'string' ? /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/.exec(text) : null
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined
}

function compare(a: Numbers, b: Numbers): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

import type { Dialect } from '@beckon/core/live'

/** A version that both sides speak. */
export interface Version {
  /** As the client wrote it. */
  readonly text: string
  readonly dialect: Dialect
}

/** For a client that has none of them. Versions 0.4 and 0.5 keep requests where no other does. */
export const supportedVersions: readonly string[] = ['>=1.0.0 <2.0.0', '>=0.6.0 <1.0.0', '>=0.3.0 <0.4.0']

/** The newest of the versions that a client offers. What is not a version counts for nothing. */
export function negotiate(offered: readonly unknown[]): Version | undefined {
  const known = offered.flatMap(text => {
    const numbers = numbersOf(text)
    if (numbers === undefined) return []
    const dialect = dialectOf(numbers)
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

function dialectOf([major, minor]: Numbers): Dialect | undefined {
  if (major === 1) return 'latest'
  if (major !== 0) return undefined
  if (minor === 3) return 'older'
  return minor < 6 ? undefined : minor < 9 ? 'later' : 'latest'
}

function compare(a: Numbers, b: Numbers): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

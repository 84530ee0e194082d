// What differs between the versions of the live protocol that are served: it is said here, and nowhere else.

/** The versions that write the same state in the same way, by the first of them. */
export type Dialect = '0.3' | '0.6' | '0.9' | '1.0'

/** A version's major and minor number. Patches differ in nothing. */
export type VersionNumbers = readonly [major: number, minor: number]

export interface DialectTraits {
  /** The first version of it. */
  readonly from: VersionNumbers
  /** The first version that it is not. */
  readonly before: VersionNumbers
  /** Whether turns and asks are on a channel of their own, and times are ISO 8601; else both are the session's, and times are milliseconds. */
  readonly hasChats: boolean
  /** Whether the error of a turn is the last part of its response; else it is a field of the turn. */
  readonly hasErrorParts: boolean
  /** Whether a chat can be marked read or archived; else the session alone can. */
  readonly hasChatMarks: boolean
  /** Whether a chat was modified when a turn of it began or ended, as these say; else when it was touched at all, by the clock. */
  readonly hasTurnTimes: boolean
  /** Whether a client that comes back may give a number for each channel; else one for all of them. */
  readonly hasCursors: boolean
}

/** Where versions are missing they keep asks where no other does (0.4, 0.5), or were never released (0.10 and more). */
export const dialectTraits: Readonly<Record<Dialect, DialectTraits>> = {
  '1.0': {
    from: [1, 0],
    before: [2, 0],
    hasChats: true,
    hasErrorParts: true,
    hasChatMarks: true,
    hasTurnTimes: true,
    hasCursors: true,
  },
  '0.9': {
    from: [0, 9],
    before: [0, 10],
    hasChats: true,
    hasErrorParts: true,
    hasChatMarks: true,
    hasTurnTimes: false,
    hasCursors: false,
  },
  '0.6': {
    from: [0, 6],
    before: [0, 9],
    hasChats: true,
    hasErrorParts: false,
    hasChatMarks: false,
    hasTurnTimes: false,
    hasCursors: false,
  },
  '0.3': {
    from: [0, 3],
    before: [0, 4],
    hasChats: false,
    hasErrorParts: false,
    hasChatMarks: false,
    hasTurnTimes: false,
    hasCursors: false,
  },
}

/** The newest first. */
export const dialects: readonly Dialect[] = ['1.0', '0.9', '0.6', '0.3']
export const chatDialects: readonly Dialect[] = dialects.filter(dialect => dialectTraits[dialect].hasChats)

/** The dialect of a version; undefined for a version that is not served. */
export function dialectOf(version: VersionNumbers): Dialect | undefined {
  return dialects.find(dialect => {
    const { from, before } = dialectTraits[dialect]
    return compare(from, version) <= 0 && compare(version, before) < 0
  })
}

function compare(a: VersionNumbers, b: VersionNumbers): number {
  return a[0] - b[0] || a[1] - b[1]
}

/** How far a client was told that something is; undefined before anything was told. */
export interface Progress {
  lastProgress: number | undefined
}

/** So little that it says nothing about the work itself, and is more all the same, however large the numbers are. */
const least = 1e-6

/**
 * What a client is told next, which has to be more than the last time: what is wanted, where it is.
 * @param wanted left out for a sign of life
 */
export function nextProgress(told: Progress, wanted?: number): number {
  const { lastProgress: last } = told
  const next =
    last === undefined ? (wanted ?? 0) : Math.max(wanted ?? last, last + Math.max(least, Math.abs(last) * least ** 2))
  told.lastProgress = next
  return next
}

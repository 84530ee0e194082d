import type { AskEntry } from '@beckon/core/asks'

/** How long people took for the asks that they answered, oldest first, in milliseconds. */
export function timesToAnswer(asks: readonly AskEntry[], max = 40): number[] {
  return asks
    .flatMap(({ askedAt, ending }) =>
      ending?.by !== undefined && ending.rule === undefined && ending.response !== 'cancel'
        ? [{ at: ending.at, took: ending.at - askedAt }]
        : [],
    )
    .sort((a, b) => a.at - b.at)
    .slice(-max)
    .map(({ took }) => Math.max(0, took))
}

export function medianOf(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}

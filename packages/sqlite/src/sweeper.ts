/** Rows of a kind that one sweep deletes at most, so that nobody waits for it long. */
const maxRows = 500
/** While there is more, soon again. */
const soonMs = 200

/** Calls `sweep` again and again, until it is stopped. */
export function startSweeper(
  sweepMs: number,
  sweep: (options: { max: number; everyMs: number }) => Promise<number>,
): () => void {
  let stopped = false
  let timer = setTimeout(tick, sweepMs).unref()

  async function tick(): Promise<void> {
    // When one fails, the next may work.
    const removed = await sweep({ max: maxRows, everyMs: sweepMs }).catch(() => 0)
    if (!stopped) timer = setTimeout(tick, removed >= maxRows ? soonMs : sweepMs).unref()
  }

  return function stop() {
    stopped = true
    clearTimeout(timer)
  }
}

import type { Connection } from './connection/connection.js'

/** Rows that one sweep deletes at most, so that it is short. */
const maxRows = 1_000
/** While there is more, soon again. */
const soonMs = 200

/** Deletes what has expired, little by little, until it is stopped; of several nodes one at a time. */
export function startSweeper(connection: Connection, schema: string, sweepMs: number): () => void {
  let stopped = false
  let timer = setTimeout(sweep, sweepMs).unref()

  async function sweep(): Promise<void> {
    // Not before somebody has used the store; and when one fails, the next may work.
    const removed = connection.isOpen ? await sweepOnce().catch(() => 0) : 0
    if (!stopped) timer = setTimeout(sweep, removed >= maxRows ? soonMs : sweepMs).unref()
  }

  async function sweepOnce(): Promise<number> {
    const [row] = await connection.query({ text: `select "${schema}".sweep($1) as removed`, values: [maxRows] })
    return Number(row?.removed)
  }

  return function stop() {
    stopped = true
    clearTimeout(timer)
  }
}

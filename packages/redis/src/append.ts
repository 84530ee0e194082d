import type { SetRemoval } from 'beckon/store'
import type { ScriptedClient } from './scripts.js'

/** What is appended, with everything as Redis has it. */
export interface Append {
  readonly log: string
  readonly after: number | ''
  readonly pxat: number | ''
  readonly values: string[]
  readonly puts: readonly (SetRemoval & { readonly score: number; readonly pxat: number | '' })[]
  readonly removals: readonly SetRemoval[]
}

/** Sends what changes a key. */
export type Write = <T>(key: string, command: (client: ScriptedClient) => Promise<T>) => Promise<T>

/** Appends to a log where logs and sets may be on several servers: one part after the other. */
export function createClusterAppend(write: Write): (append: Append) => Promise<number | null> {
  return async ({ log, after, pxat, values, puts, removals }) => {
    if (puts.length > 0)
      await Promise.all(
        puts.map(put => write(put.set, client => client.beckonPut(put.set, put.member, put.score, '', put.pxat))),
      )
    const last = await write(log, client => client.beckonAppend(log, after, pxat, values))
    if (last === null) return null
    await Promise.all(removals.map(({ set, member }) => write(set, client => client.beckonRemove(set, member, ''))))
    return last
  }
}

/** Has what is written to a log wait for an append to it that was called before, and is not sent yet. */
export class LogOrder {
  readonly #running = new Map<string, Promise<unknown>>()

  run<T>(log: string, task: () => Promise<T>): Promise<T> {
    const earlier = this.#running.get(log)
    return earlier === undefined ? task() : earlier.then(() => this.run(log, task))
  }

  /** The same for a task that sends nothing at first. */
  hold<T>(log: string, task: () => Promise<T>): Promise<T> {
    return this.run(log, () => {
      const running = task()
      const settled = running
        .catch(() => {})
        .then(() => {
          if (this.#running.get(log) === settled) this.#running.delete(log)
        })
      this.#running.set(log, settled)
      return running
    })
  }
}

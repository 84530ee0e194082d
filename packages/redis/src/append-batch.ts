// Appends that are called in one turn of the event loop are one command, so many of them: what a command costs both sides is then
// paid once for all of them, and while Redis runs one, this process works on what came of another. For a server that has all keys; see `createClusterAppend` for others.
import type { Append, Write } from './append.js'
import { failureOf } from './connection.js'

interface Pending {
  readonly append: Append
  readonly resolve: (last: number | null) => void
  readonly reject: (error: unknown) => void
}

/** Characters of a command, so that no one else waits for long. */
const fullAt = 1_000_000
/** With more in one, this process and Redis would wait for each other in turns. */
const maxAppends = 32

export class AppendBatch {
  readonly #write: Write
  #pending: Pending[] = []
  #length = 0

  constructor(write: Write) {
    this.#write = write
  }

  /** Resolves to the last number of the log; null when something else came first. */
  add(append: Append): Promise<number | null> {
    return new Promise((resolve, reject) => {
      if (this.#pending.push({ append, resolve, reject }) === 1) process.nextTick(() => this.flush())
      for (const value of append.values) this.#length += value.length
      if (this.#length >= fullAt || this.#pending.length === maxAppends) this.flush()
    })
  }

  /** Sends what was called so far. Before anything else is sent: everything arrives in the order of its calls. */
  flush(): void {
    if (this.#pending.length > 0) void this.#send()
  }

  async #send(): Promise<void> {
    const batch = this.#pending
    this.#pending = []
    this.#length = 0
    const { keys, args } = encodeAppends(batch.map(({ append }) => append))
    try {
      const results = await this.#write(keys[0] ?? '', client => client.beckonAppendAll(keys.length, keys, args))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index] ?? null
        if (result instanceof Error) reject(failureOf(result))
        else resolve(result)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}

/** As `beckonAppendAll` takes them. */
function encodeAppends(appends: readonly Append[]): { keys: string[]; args: (string | number)[] } {
  const keys: string[] = []
  const args: (string | number)[] = []
  for (const { log, after, pxat, values, puts, removals } of appends) {
    keys.push(log)
    args.push(after, pxat, values.length, puts.length, removals.length)
    for (const value of values) args.push(value)
    for (const { set, member, score, pxat } of puts) {
      keys.push(set)
      args.push(member, score, pxat)
    }
    for (const { set, member } of removals) {
      keys.push(set)
      args.push(member)
    }
  }
  return { keys, args }
}

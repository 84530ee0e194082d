// What arrives in the same turn, or while something is on its way, goes together. A hundred calls at once then cost about
// as many waits for the network and the disk as one does.
import { setImmediate } from 'node:timers'
import { setImmediate as turn } from 'node:timers/promises'

/** Collects operations, and runs them many at a time, in the order that they came in. */
export interface Batcher<Operation, Result> {
  /** Resolves to the result of this operation; rejects when its batch did. */
  add(operation: Operation): Promise<Result>
  /** Resolves when nothing is left to do. */
  drained(): Promise<void>
}

export interface BatcherOptions<Operation, Result> {
  /** Gives the results in the order of the operations. */
  run(operations: readonly Operation[]): Promise<readonly Result[]>
  /** How much an operation weighs; 1 unless given. */
  weigh?(operation: Operation): number
  /** The weight at which a batch is full. An operation that weighs more goes alone. */
  fullAt: number
}

interface Waiting<Operation, Result> {
  readonly operation: Operation
  resolve(result: Result): void
  reject(error: unknown): void
}

export function createBatcher<Operation, Result>({
  run,
  weigh = () => 1,
  fullAt,
}: BatcherOptions<Operation, Result>): Batcher<Operation, Result> {
  let waiting: Waiting<Operation, Result>[] = []
  let working: Promise<void> | undefined

  function take(): Waiting<Operation, Result>[] {
    let weight = 0
    const rest = waiting.findIndex(({ operation }, index) => {
      weight += weigh(operation)
      return index > 0 && weight > fullAt
    })
    const batch = rest === -1 ? waiting : waiting.slice(0, rest)
    waiting = rest === -1 ? [] : waiting.slice(rest)
    return batch
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = take()
      await settle(batch, run(batch.map(({ operation }) => operation)))
      // Whoever waited for these may have more to add.
      await turn()
    }
    working = undefined
  }

  return {
    add(operation) {
      return new Promise((resolve, reject) => {
        waiting.push({ operation, resolve, reject })
        working ??= new Promise<void>(done => setImmediate(done)).then(work)
      })
    },
    async drained() {
      while (working !== undefined) await working
    },
  }
}

async function settle<Operation, Result>(
  batch: readonly Waiting<Operation, Result>[],
  running: Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await running
    // There is one for each.
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

// What arrives in the same turn, or while something is on its way, goes together. A hundred calls at once then cost about
// as many waits for the network and the disk as one does. Of many results half are handed out first: what comes of them is on
// its way to the database while this process works on the other half, and so on in turn.
import { setImmediate } from 'node:timers'
import { setImmediate as turn } from 'node:timers/promises'

/** Fewer than these are not worth a batch of their own. */
const smallestPortion = 8

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
    let done: Settle[] = []
    while (waiting.length > 0 || done.length > 0) {
      if (waiting.length === 0) {
        for (const settle of done.splice(0, portionOf(done.length))) settle()
        // Whoever waited for these may have more to add.
        await turn()
        continue
      }
      const batch = take()
      const running = settled(batch, run(batch.map(({ operation }) => operation)))
      // By then it was sent.
      await turn()
      for (const settle of done) settle()
      done = await running
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

/** How many results are handed out at once: half of many, so that the others are worked on while these are written on. */
function portionOf(count: number): number {
  return count < 2 * smallestPortion ? count : Math.ceil(count / 2)
}

/** Hands out the result of an operation. */
type Settle = () => void

async function settled<Operation, Result>(
  batch: readonly Waiting<Operation, Result>[],
  running: Promise<readonly Result[]>,
): Promise<Settle[]> {
  try {
    const results = await running
    // There is one for each.
    return batch.map(
      ({ resolve }, index) =>
        () =>
          resolve(results[index] as Result),
    )
  } catch (error) {
    return batch.map(
      ({ reject }) =>
        () =>
          reject(error),
    )
  }
}

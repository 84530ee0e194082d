// What arrives in the same turn, or while nothing more can be on its way, goes together. A hundred calls at once then cost
// about as many waits for the network and the disk as one does. With several batches on their way, one of them is written to
// disk while the database runs the next, and this process works on the results of a third.

import { setImmediate as turn } from 'node:timers/promises'

/** Fewer than these are not worth a batch of their own. */
const smallestPortion = 8

/** Collects operations, and runs them many at a time. */
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
  /** How many batches may be on their way at once; 1 unless given. */
  atOnce?: number
  /** What an operation changes: operations on the same run in the order that they came in. Nothing unless given. */
  targetsOf?(operation: Operation): readonly string[]
}

interface Waiting<Operation, Result> {
  readonly operation: Operation
  readonly targets: readonly string[]
  resolve(result: Result): void
  reject(error: unknown): void
}

export function createBatcher<Operation, Result>({
  run,
  weigh = () => 1,
  fullAt,
  atOnce = 1,
  targetsOf = () => [],
}: BatcherOptions<Operation, Result>): Batcher<Operation, Result> {
  let waiting: Waiting<Operation, Result>[] = []
  /** What the batches that are on their way change. */
  const busy = new Set<string>()
  let running = 0
  let isScheduled = false
  /** Who waits until nothing is left to do. */
  const drained: Settle[] = []

  /** The next batch: all that fits, but for what has to come after something that is not done. */
  function take(): Waiting<Operation, Result>[] {
    const batch: Waiting<Operation, Result>[] = []
    const rest: Waiting<Operation, Result>[] = []
    const held = new Set<string>()
    let weight = 0
    for (const [index, one] of waiting.entries()) {
      if (one.targets.some(target => busy.has(target) || held.has(target))) {
        for (const target of one.targets) held.add(target)
        rest.push(one)
        continue
      }
      weight += weigh(one.operation)
      if (batch.length > 0 && weight > fullAt) {
        rest.push(...waiting.slice(index))
        break
      }
      batch.push(one)
    }
    waiting = rest
    return batch
  }

  function start(): void {
    isScheduled = false
    const batch = running < atOnce ? take() : []
    if (batch.length === 0) return
    for (const { targets } of batch) for (const target of targets) busy.add(target)
    running++
    void settled(batch, run(batch.map(({ operation }) => operation))).then(done => end(batch, done))
    schedule()
  }

  /** Hands out results: while another batch could be on its way, to some first, so that what comes of these can fill it. */
  async function end(batch: readonly Waiting<Operation, Result>[], done: Settle[]): Promise<void> {
    running--
    for (const { targets } of batch) for (const target of targets) busy.delete(target)
    for (;;) {
      for (const settle of done.splice(0, portionOf(done.length, atOnce - running))) settle()
      if (done.length === 0) break
      await turn()
      if (waiting.length > 0) start()
    }
    schedule()
  }

  function schedule(): void {
    if (waiting.length === 0 && running === 0) for (const tell of drained.splice(0)) tell()
    if (isScheduled || waiting.length === 0 || running >= atOnce) return
    isScheduled = true
    // What is added in this turn goes along.
    setImmediate(start)
  }

  return {
    add(operation) {
      return new Promise((resolve, reject) => {
        waiting.push({ operation, targets: targetsOf(operation), resolve, reject })
        schedule()
      })
    },
    async drained() {
      if (waiting.length > 0 || running > 0) await new Promise<void>(resolve => drained.push(resolve))
    },
  }
}

/** How many results are handed out at once, for what comes of them to be on its way while the others are worked on. */
function portionOf(count: number, free: number): number {
  return free > 1 ? Math.max(smallestPortion, Math.ceil(count / free)) : count
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

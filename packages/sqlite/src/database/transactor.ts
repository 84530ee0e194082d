// Everything goes to the file in the order that it was asked for. What arrives in the same turn is one transaction, so that
// a hundred calls at once wait for the disk once. While another process writes, this one comes back a little later, and
// its event loop goes on in the meantime.
import { setImmediate } from 'node:timers'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { StoreUnavailableError } from 'beckon/store'
import { isBusy } from './connection.js'

const maxInOne = 500
const maxWaitMs = 20

/** Runs work on the database, in order. */
export interface Transactor {
  /** In the transaction of this turn. */
  write<T>(work: () => T): Promise<T>
  /** The same, for what may be lost in a power cut. */
  hint<T>(work: () => T): Promise<T>
  read<T>(work: () => T): Promise<T>
  /** Resolves when nothing is left to do. */
  drained(): Promise<void>
}

export interface TransactorOptions {
  /** Runs this in a transaction. */
  transaction(work: () => void, options: { isDurable: boolean }): void
  /** Called first, and again until it did not throw. */
  open(): void
  /** How long another process may keep this one from writing. */
  busyMs: number
}

interface Task {
  readonly kind: 'read' | 'hint' | 'write'
  run(): void
  resolve(): void
  reject(error: unknown): void
}

export function createTransactor({ transaction, open, busyMs }: TransactorOptions): Transactor {
  let waiting: Task[] = []
  let working: Promise<void> | undefined

  function add<T>(kind: Task['kind'], work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: T
      waiting.push({
        kind,
        run() {
          result = work()
        },
        resolve: () => resolve(result),
        reject,
      })
      working ??= new Promise<void>(done => setImmediate(done)).then(workOff)
    })
  }

  async function workOff(): Promise<void> {
    while (waiting.length > 0) {
      const tasks = waiting.slice(0, maxInOne)
      waiting = waiting.slice(maxInOne)
      await settle(tasks)
      // Callers that waited for these may have more.
      await turn()
    }
    working = undefined
  }

  async function settle(tasks: readonly Task[]): Promise<void> {
    try {
      await untilFree(() => attempt(tasks))
      for (const task of tasks) task.resolve()
    } catch (error) {
      for (const task of tasks) task.reject(error)
    }
  }

  function attempt(tasks: readonly Task[]): void {
    open()
    const runAll = (): void => {
      for (const task of tasks) task.run()
    }
    if (tasks.every(task => task.kind === 'read')) runAll()
    else transaction(runAll, { isDurable: tasks.some(task => task.kind === 'write') })
  }

  async function untilFree(work: () => void): Promise<void> {
    const since = performance.now()
    for (let failures = 0; ; failures++) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error)) throw isOfSqlite(error) ? new StoreUnavailableError('SQLite', error) : error
        if (performance.now() - since > busyMs) throw new StoreUnavailableError('SQLite', error)
      }
      await delay(Math.random() * Math.min(maxWaitMs, 2 ** failures))
    }
  }

  return {
    write: work => add('write', work),
    hint: work => add('hint', work),
    read: work => add('read', work),
    async drained() {
      while (working !== undefined) await working
    },
  }
}

function isOfSqlite(error: unknown): boolean {
  return error instanceof Error && 'code' in error && `${error.code}`.startsWith('SQLITE_')
}

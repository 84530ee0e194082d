// Work that is done once everything of this turn of the event loop has run: microtasks and ticks. One immediate serves
// all of it, so that a hundred calls that come to rest in one turn are answered together.
import { isRequestBound } from '#platform'

/** Taken at import: a test's fake timers must not stop the engine. Some runtimes have none. */
const schedule: (job: () => void) => void = globalThis.setImmediate ?? (job => setTimeout(job, 0))
let queue: (() => void)[] = []

/** Runs a job at the end of this turn. Where a timer ends with the request that set it, each job has its own. */
export function afterTurn(job: () => void): void {
  if (isRequestBound) schedule(job)
  else if (queue.push(job) === 1) schedule(flush)
}

let ending: Promise<void> | undefined

/** Resolves at the end of this turn: one promise for everyone who waits for it. */
export function turnEnd(): Promise<void> {
  if (isRequestBound) return new Promise(afterTurn)
  ending ??= new Promise(resolve =>
    afterTurn(() => {
      ending = undefined
      resolve()
    }),
  )
  return ending
}

function flush(): void {
  const jobs = queue
  queue = []
  for (const job of jobs) job()
}

// Work that is done once everything of this turn of the event loop has run: microtasks and ticks. One immediate serves
// all of it, so that a hundred calls that come to rest in one turn are answered together.

/** Taken at import: a test's fake timers must not stop the engine. Some runtimes have none. */
const schedule: (job: () => void) => void = globalThis.setImmediate ?? (job => setTimeout(job, 0))
let queue: (() => void)[] = []

/** Runs a job at the end of this turn. */
export function afterTurn(job: () => void): void {
  if (queue.push(job) === 1) schedule(flush)
}

function flush(): void {
  const jobs = queue
  queue = []
  for (const job of jobs) job()
}

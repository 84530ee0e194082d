interface Scheduled {
  readonly promise: Promise<void>
  readonly run: () => void
  timer: NodeJS.Timeout
  dueAt: number
}

/** Writes together what comes within a time, in the time of the caller that wants it soonest. */
export class WriteTimer {
  readonly #write: () => Promise<void>
  #scheduled: Scheduled | undefined

  constructor(write: () => Promise<void>) {
    this.#write = write
  }

  /** Resolves once it was written, in so many milliseconds at most. */
  within(ms: number): Promise<void> {
    const dueAt = performance.now() + ms
    this.#scheduled ??= this.#schedule(dueAt, ms)
    const scheduled = this.#scheduled
    if (dueAt < scheduled.dueAt) {
      clearTimeout(scheduled.timer)
      scheduled.dueAt = dueAt
      scheduled.timer = setTimeout(scheduled.run, ms)
    }
    return scheduled.promise
  }

  /** Writes now. */
  now(): Promise<void> {
    const scheduled = this.#scheduled
    if (scheduled === undefined) return this.#write()
    scheduled.run()
    return scheduled.promise
  }

  #schedule(dueAt: number, ms: number): Scheduled {
    let run = () => {}
    const promise = new Promise<void>((resolve, reject) => {
      run = () => {
        clearTimeout(this.#scheduled?.timer)
        this.#scheduled = undefined
        this.#write().then(resolve, reject)
      }
    })
    return { promise, run, timer: setTimeout(run, ms), dueAt }
  }
}

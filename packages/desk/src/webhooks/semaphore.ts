import { Fifo } from '@beckon/core'

/** Lets a number of jobs run at the same time; the others wait. */
export class Semaphore {
  #free: number
  readonly #waiting = new Fifo<() => void>()

  constructor(places: number) {
    this.#free = places
  }

  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
    try {
      return await job()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}

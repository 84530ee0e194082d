import type { Attempt } from './attempt.js'

/** A run that takes the answers of a round, or has taken them and not replied yet. */
export type Worker = Pick<Attempt<never>, 'name' | 'run' | 'log'> &
  Partial<Pick<Attempt<never>, 'isReleased'>> & { watchers: Set<string> | undefined }

/** Who works on a round in this process. Each is here from before its log says so, so that nobody takes a round for left alone. */
export class Working {
  readonly #byCall = new Map<string, Set<Worker>>()

  add(worker: Worker): void {
    const all = this.#byCall.get(worker.name) ?? new Set()
    this.#byCall.set(worker.name, all.add(worker))
  }

  /** Has a worker take a round; it is here no more when someone else was faster. */
  async take(worker: Worker, claim: () => Promise<boolean>): Promise<boolean> {
    this.add(worker)
    let isMine = false
    try {
      isMine = await claim()
      return isMine
    } finally {
      if (!isMine) this.remove(worker)
    }
  }

  /** False when it was not there. */
  remove(worker: Worker): boolean {
    const all = this.#byCall.get(worker.name)
    if (!all?.delete(worker)) return false
    if (all.size === 0) this.#byCall.delete(worker.name)
    return true
  }

  /** Who works on a call, in a certain run. */
  find(name: string, run: string): Worker | undefined {
    for (const worker of this.#byCall.get(name) ?? []) if (worker.run === run && !worker.isReleased) return worker
    return undefined
  }

  /** Has a node hear of what becomes of a call. */
  watch(name: string, node: string): void {
    for (const worker of this.#byCall.get(name) ?? []) worker.watchers = (worker.watchers ?? new Set()).add(node)
  }
}

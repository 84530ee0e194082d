import type { Attempt } from './attempt.js'

/** A run that takes the answers of a round, or has taken them and not replied yet. */
export type Worker = Pick<Attempt<never>, 'name' | 'run' | 'log'> &
  Partial<Pick<Attempt<never>, 'isReleased'>> & { watchers: Set<string> | undefined }

const nobody: readonly Worker[] = []

/** Who works on a round in this process. Each is here from before its log says so, so that nobody takes a round for left alone. */
export class Working {
  /** Of nearly every call one alone, for whom no list is made. */
  readonly #byCall = new Map<string, Worker | readonly Worker[]>()

  add(worker: Worker): void {
    this.#set(worker.name, this.#byCall.has(worker.name) ? [...this.#others(worker), worker] : worker)
  }

  /** Has a worker take a round; it is removed when someone else was faster. */
  take(worker: Worker, claim: () => boolean | Promise<boolean>): boolean | Promise<boolean> {
    this.add(worker)
    const orRemove = (isMine: boolean): boolean => {
      if (!isMine) this.remove(worker)
      return isMine
    }
    try {
      const isMine = claim()
      return typeof isMine === 'boolean' ? orRemove(isMine) : isMine.then(orRemove, error => this.#fail(worker, error))
    } catch (error) {
      return this.#fail(worker, error)
    }
  }

  /** False when it was not there. */
  remove(worker: Worker): boolean {
    if (this.#byCall.get(worker.name) === worker) return this.#byCall.delete(worker.name)
    if (!this.#at(worker.name).includes(worker)) return false
    this.#set(worker.name, this.#others(worker))
    return true
  }

  /** Who works on a call, in a certain run. */
  find(name: string, run: string): Worker | undefined {
    return this.#at(name).find(worker => worker.run === run && !worker.isReleased)
  }

  /** Has a node hear of what becomes of a call. */
  watch(name: string, node: string): void {
    for (const worker of this.#at(name)) worker.watchers = (worker.watchers ?? new Set()).add(node)
  }

  #fail(worker: Worker, error: unknown): never {
    this.remove(worker)
    throw error
  }

  #at(name: string): readonly Worker[] {
    const known = this.#byCall.get(name)
    if (known === undefined) return nobody
    return isList(known) ? known : [known]
  }

  #others(worker: Worker): readonly Worker[] {
    return this.#at(worker.name).filter(other => other !== worker)
  }

  #set(name: string, workers: Worker | readonly Worker[]): void {
    if (isList(workers) && workers.length === 0) this.#byCall.delete(name)
    else this.#byCall.set(name, workers)
  }
}

function isList(workers: Worker | readonly Worker[]): workers is readonly Worker[] {
  return Array.isArray(workers)
}

import type { ReplayCause } from './call-request.js'
import type { Nodes } from './nodes.js'

/**
 * Takes calls over, each once at a time. When the store fails in the middle, a call may be this node's although nobody got
 * to say so, and no other node will take it: so it is tried again until the store has answered.
 */
export class Takeovers {
  readonly #nodes: Pick<Nodes, 'retryUntilStored'>
  readonly #takeOver: (name: string, cause: ReplayCause) => Promise<string | undefined>
  readonly #running = new Map<string, Promise<string | undefined>>()
  readonly #unsure = new Set<string>()

  constructor(
    nodes: Pick<Nodes, 'retryUntilStored'>,
    takeOver: (name: string, cause: ReplayCause) => Promise<string | undefined>,
  ) {
    this.#nodes = nodes
    this.#takeOver = takeOver
  }

  /** The node that a call was left with, which runs it; undefined when there was none. */
  async takeOver(name: string, cause: ReplayCause): Promise<string | undefined> {
    try {
      return await this.#run(name, cause)
    } catch (error) {
      this.#retry(name, cause)
      throw error
    }
  }

  #retry(name: string, cause: ReplayCause): void {
    if (this.#unsure.has(name)) return
    this.#unsure.add(name)
    void this.#nodes.retryUntilStored(async () => {
      await this.#run(name, cause)
      this.#unsure.delete(name)
    })
  }

  #run(name: string, cause: ReplayCause): Promise<string | undefined> {
    const known = this.#running.get(name)
    if (known !== undefined) return known
    const running = this.#takeOver(name, cause).finally(() => this.#running.delete(name))
    this.#running.set(name, running)
    return running
  }
}

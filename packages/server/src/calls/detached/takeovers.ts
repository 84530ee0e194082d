import type { Nodes } from '../nodes.js'

/**
 * Takes calls over, each once at a time. When the store fails in the middle, a call may be this node's although nobody got
 * to say so, and no other node will take it: so it is tried again until the store has answered.
 */
export class Takeovers {
  readonly #nodes: Pick<Nodes, 'untilDone'>
  readonly #takeOver: (id: string) => Promise<void>
  readonly #running = new Map<string, Promise<void>>()
  readonly #unsure = new Set<string>()

  constructor(nodes: Pick<Nodes, 'untilDone'>, takeOver: (id: string) => Promise<void>) {
    this.#nodes = nodes
    this.#takeOver = takeOver
  }

  async adopt(id: string): Promise<void> {
    try {
      await this.#run(id)
    } catch (error) {
      this.#insist(id)
      throw error
    }
  }

  #insist(id: string): void {
    if (this.#unsure.has(id)) return
    this.#unsure.add(id)
    void this.#nodes.untilDone(async () => {
      await this.#run(id)
      this.#unsure.delete(id)
    })
  }

  #run(id: string): Promise<void> {
    const known = this.#running.get(id)
    if (known !== undefined) return known
    const running = this.#takeOver(id).finally(() => this.#running.delete(id))
    this.#running.set(id, running)
    return running
  }
}

// Programs that ask on the desks under test and wait. When the process of one is gone, another goes on: it puts the same ask
// again, by its id.
import { pause } from '../client.mjs'
import { endingOf } from './record.mjs'

/** @typedef {import('./node.mjs').AskSpec} AskSpec */
/** @typedef {{ spec: AskSpec, since: number, isOpen: boolean, outcomes: { ending: string, at: number, node: number }[], tries: string[] }} Waiting */

export class Programs {
  /** @type {readonly import('../cluster.mjs').TestProcess[]} */
  #nodes
  /** @type {import('../random.mjs').Random} */
  #random
  /** @type {Map<number, { node: number, settle: (came: import('./node.mjs').Came) => void }>} */
  #orders = new Map()
  #next = 1
  #isStopped = false
  /** @type {Waiting[]} */
  asks = []
  /** Asks that were put again, since the process that waited was gone, or could not. */
  again = 0

  /**
   * @param {readonly import('../cluster.mjs').TestProcess[]} nodes
   * @param {import('../random.mjs').Random} random
   */
  constructor(nodes, random) {
    this.#nodes = nodes
    this.#random = random
  }

  stop() {
    this.#isStopped = true
    for (const { settle } of this.#orders.values()) settle({ failed: 'over' })
  }

  /** @param {import('./node.mjs').CameNews} news */
  heard({ number, ...came }) {
    this.#orders.get(number)?.settle(came)
  }

  /**
   * A process is gone, and with it what it waited for.
   * @param {number} node
   */
  gone(node) {
    for (const order of [...this.#orders.values()]) if (order.node === node) order.settle({ failed: 'gone' })
  }

  /**
   * Puts an ask and waits, now and then on two nodes at once; gives what came of it.
   * @param {AskSpec} spec
   * @param {(ending: string) => boolean} isBroken whether an ending is none: what was asked was lost
   */
  async ask(spec, isBroken) {
    /** @type {Waiting} */
    const waiting = { spec, since: Date.now(), isOpen: true, outcomes: [], tries: [] }
    this.asks.push(waiting)
    const first = this.#random.between(0, this.#nodes.length)
    const isTwice = this.#random.next() < 0.15
    const places = isTwice ? [first, (first + 1) % this.#nodes.length] : [first]
    await Promise.all(places.map(place => this.#wait(waiting, place, isBroken)))
    waiting.isOpen = false
    return waiting
  }

  /**
   * Puts an ask once on a node.
   * @param {AskSpec} spec
   * @param {number} node
   * @returns {Promise<import('./node.mjs').Came>}
   */
  put(spec, node) {
    const number = this.#next++
    return new Promise(resolve => {
      this.#orders.set(number, {
        node,
        settle: came => {
          this.#orders.delete(number)
          resolve(came)
        },
      })
      if (!this.#nodes[node]?.send({ what: 'open', number, spec }))
        this.#orders.get(number)?.settle({ failed: 'not there' })
    })
  }

  /**
   * @param {Waiting} waiting
   * @param {number} first
   * @param {(ending: string) => boolean} isBroken
   */
  async #wait(waiting, first, isBroken) {
    let node = first
    while (!this.#isStopped) {
      waiting.tries.push(`node ${node}`)
      const came = await this.put(waiting.spec, node)
      if ('outcome' in came) {
        const ending = endingOf(came.outcome)
        waiting.tries.push(ending)
        if (!isBroken(ending)) return waiting.outcomes.push({ ending, at: Date.now(), node })
      } else waiting.tries.push(came.failed)
      this.again++
      await pause(this.#random.between(20, 150))
      node = this.#random.between(0, this.#nodes.length)
    }
  }
}

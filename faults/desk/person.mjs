// A person at a device, who answers what there is with words of their own, at the same time as others do, and remembers what
// the desk confirmed.
import { pause } from '../client.mjs'
import { asksChannel, LiveClient } from './live-client.mjs'

/** An answer that a person gave. @typedef {{ ask: string, session: string, ending: string, at: number }} Given */

/** So long a person waits for the desk to say what became of an answer. */
const patienceMs = 4_000

export class Person {
  /** @type {{ name: string, token: string, dialect: '0.3' | '1.0' }} */
  device
  /** @type {LiveClient} */
  client
  /** What the desk said is taken. @type {Given[]} */
  confirmed = []
  refused = 0
  answers = 0
  connections = 0
  /** Why it could not come in, the last times. @type {string[]} */
  troubles = []
  /** The node where it is. */
  node
  /** Told whenever an answer was confirmed. */
  onTaken = () => {}
  /** Whether it answers what is to stay open. */
  answersAll = false
  #isStopped = false
  /** @type {readonly { port: number }[]} */
  #nodes
  /** @type {import('../random.mjs').Random} */
  #random
  /** @type {Map<number, Given>} */
  #sent = new Map()
  /** When an ask was last answered here. @type {Map<string, number>} */
  #tried = new Map()

  /**
   * @param {{ name: string, token: string, dialect: '0.3' | '1.0' }} device
   * @param {readonly { port: number }[]} nodes
   * @param {number} node
   * @param {import('../random.mjs').Random} random
   */
  constructor(device, nodes, node, random) {
    this.device = device
    this.node = node
    this.#nodes = nodes
    this.#random = random
    this.client = new LiveClient({ ...device, clientId: device.name })
    this.client.onEcho = ({ origin, rejectionReason, rejectionCode }) => {
      const given = this.#sent.get(origin?.clientSeq ?? 0)
      if (given === undefined || origin === undefined) return
      this.#sent.delete(origin.clientSeq)
      if (rejectionReason === undefined) {
        this.confirmed.push({ ...given, at: Date.now() })
        this.onTaken()
      } else {
        this.refused++
        if (rejectionCode === 'unavailable') this.#tried.delete(given.ask)
      }
    }
  }

  /** The asks that this device knows of. @returns {readonly any[]} */
  get asks() {
    return this.client.states.get(asksChannel)?.asks ?? []
  }

  stop() {
    this.#isStopped = true
  }

  /** Comes in, comes back, and answers, until it is stopped. */
  async live() {
    while (!this.#isStopped) {
      if (!this.client.isConnected) await this.comeBack()
      else await this.#look()
      await pause(this.#random.between(10, 60))
    }
  }

  /** Comes back once, to the same node or another. */
  async comeBack(node = this.#random.next() < 0.6 ? this.node : this.#random.between(0, this.#nodes.length)) {
    this.node = node
    try {
      await this.client.connect(`ws://127.0.0.1:${this.#nodes[node]?.port}/live`)
      this.connections++
    } catch (error) {
      this.troubles.push(`node ${node}: ${error instanceof Error ? error.message : error}`)
      this.troubles.splice(0, this.troubles.length - 3)
      await pause(this.#random.between(20, 100))
    }
  }

  async #look() {
    // Now and then nobody at a node follows a session that somebody there waits for.
    if (this.#random.next() < 0.1) this.#closeOne()
    for (const { session, request, ending } of this.asks) {
      const isTried = Date.now() - (this.#tried.get(request.id) ?? 0) < patienceMs
      const isLeft = request.message === 'left' || (request.message === 'kept' && !this.answersAll)
      // Not at once: someone else may get there first.
      if (ending !== undefined || isTried || isLeft || this.#random.next() < 0.3) continue
      this.#tried.set(request.id, Date.now())
      await this.#answer(session, request.id).catch(() => this.#tried.delete(request.id))
    }
  }

  /** Looks away from a session, when nothing that was sent there is on its way. */
  #closeOne() {
    const busy = new Set(Array.from(this.#sent.values(), ({ session }) => this.client.channelOf(session)))
    const [channel] = [...this.client.states.keys()].filter(name => name !== asksChannel && !busy.has(name))
    if (channel !== undefined) this.client.unsubscribe(channel)
  }

  /**
   * @param {string} session
   * @param {string} ask
   */
  async #answer(session, ask) {
    const { client } = this
    const channel = client.channelOf(session)
    if (!client.states.has(channel)) await client.subscribe(channel)
    const words = `${this.device.name}/${++this.answers}`
    const answer = { state: 'submitted', value: { kind: 'text', value: words } }
    if (this.#random.next() < 0.3)
      client.dispatch(session, { type: 'inputAnswerChanged', requestId: ask, questionId: 'value', answer })
    const isAccept = this.#random.next() < 0.7
    const how = isAccept ? { response: 'accept', answers: { value: answer } } : { response: 'decline', reason: words }
    const clientSeq = client.dispatch(session, { type: 'inputCompleted', requestId: ask, ...how })
    this.#sent.set(clientSeq, { ask, session, ending: `${isAccept ? 'accept' : 'decline'} ${words}`, at: 0 })
  }
}

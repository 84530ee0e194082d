// Clients that came back to one node for a stream that another has. The node that has the stream decides what they get, and
// sends it by mail; the one that has the connection passes it on. When the first dies, the second ends the requests of that
// stream with an error: what came of them is not known.
import { randomId } from '../../../crypto/random-id.js'
import type { RequestId } from '../../../protocol/messages.js'
import type { HttpResponse } from '../../exchange/exchange.js'
import { eventOf, eventStreamHeaders } from '../../reply-with.js'
import type { SharedInterval } from '../../shared-interval.js'
import type { Mail, Output } from './mail.js'
import { RemoteResponse } from './remote-response.js'

export interface RelaysOptions {
  /** This node. */
  readonly node: string
  readonly keepAlive: SharedInterval<HttpResponse>
  readonly isAlive: (node: string) => Promise<boolean>
  readonly send: (node: string, mail: Mail, isKnown: boolean) => Promise<void>
}

/** Where the client of a stream of this node is. */
interface Remote {
  readonly node: string
  readonly isKnown: boolean
}

/** A stream of another node that a client came back for. */
export interface Wanted {
  /** The session, by its name in the store. */
  readonly session: string
  readonly isKnown: boolean
  readonly node: string
  readonly lastEventId: string
  /** What is done when that node turns out to be dead. */
  readonly onDeath: (response: HttpResponse, isOpen: boolean) => void
  /** The client has all of it, or went away. */
  readonly onEnd: () => void
}

interface Relay extends Wanted {
  readonly response: HttpResponse
  isOpen: boolean
}

const emptyComment = ':\n\n'

export class Relays {
  readonly #options: RelaysOptions
  /** Connections here, for streams of other nodes. */
  readonly #carried = new Map<string, Relay>()
  /** Streams of this node, whose clients are at another. */
  readonly #remote = new Map<string, Remote & { readonly response: RemoteResponse }>()
  /** Those of which something was lost: the other node has to hear that they end. */
  readonly #broken = new Map<string, Remote>()
  #isLooking = false

  constructor(options: RelaysOptions) {
    this.#options = options
  }

  /** Has another node go on with its stream, on a connection of this one. */
  async begin(response: HttpResponse, wanted: Wanted): Promise<void> {
    const { node, send } = this.#options
    const { session, isKnown, lastEventId } = wanted
    const relay = randomId()
    this.#carried.set(relay, { ...wanted, response, isOpen: false })
    const sent = send(wanted.node, { kind: 'resume', session, relay, node, lastEventId }, isKnown)
    response.onGone(() => {
      if (this.#end(relay)) send(wanted.node, { kind: 'gone', relay }, isKnown).catch(() => {})
    })
    try {
      await sent
    } catch (error) {
      this.#end(relay)
      throw error
    }
  }

  /** The response to a client of this node's stream that is at another node. */
  remoteResponse(relay: string, node: string, isKnown: boolean): HttpResponse {
    const response = new RemoteResponse(
      outputs => this.#options.send(node, { kind: 'relayed', relay, outputs }, isKnown),
      isBroken => {
        this.#remote.delete(relay)
        if (isBroken) this.#broken.set(relay, { node, isKnown })
      },
    )
    this.#remote.set(relay, { node, isKnown, response })
    return response
  }

  hear(mail: Mail): void {
    if (mail.kind === 'relayed') for (const output of mail.outputs) this.#pass(mail.relay, output)
    if (mail.kind === 'gone') this.#remote.get(mail.relay)?.response.gone()
  }

  /** Looks whether the nodes live that have the streams, or the clients, of what is here. */
  look(): void {
    if (this.#isLooking || this.isIdle) return
    this.#isLooking = true
    void this.#look().finally(() => {
      this.#isLooking = false
    })
  }

  get isIdle(): boolean {
    return this.#carried.size === 0 && this.#remote.size === 0 && this.#broken.size === 0
  }

  async #look(): Promise<void> {
    for (const [relay, { node, isKnown }] of [...this.#broken]) {
      this.#broken.delete(relay)
      await this.#options
        .send(node, { kind: 'relayed', relay, outputs: [{ kind: 'end' }] }, isKnown)
        .catch(() => this.#broken.set(relay, { node, isKnown }))
    }
    const all = [...this.#carried.values(), ...this.#remote.values()]
    // A store that is away says nothing of anyone.
    for (const node of new Set(all.map(each => each.node)))
      if (!(await this.#options.isAlive(node).catch(() => true))) this.#died(node)
  }

  #died(node: string): void {
    for (const [relay, carried] of this.#carried) {
      if (carried.node !== node) continue
      this.#end(relay)
      carried.onDeath(carried.response, carried.isOpen)
    }
    for (const remote of this.#remote.values()) if (remote.node === node) remote.response.gone()
  }

  #pass(relay: string, output: Output): void {
    const carried = this.#carried.get(relay)
    if (carried === undefined) return
    const { response } = carried
    switch (output.kind) {
      case 'open':
        carried.isOpen = true
        response.open(output.headers)
        response.write(emptyComment)
        this.#options.keepAlive.add(response)
        break
      case 'write':
        response.write(output.text)
        break
      case 'reply':
        this.#end(relay)
        response.reply(output.status, output.headers, output.body)
        break
      case 'end':
        this.#end(relay)
        response.end(output.text)
    }
  }

  #end(relay: string): boolean {
    const carried = this.#carried.get(relay)
    if (carried === undefined) return false
    this.#carried.delete(relay)
    this.#options.keepAlive.delete(carried.response)
    carried.onEnd()
    return true
  }
}

/** Ends requests whose node is gone, each with an error that says so. */
export function endWithNode(response: HttpResponse, isOpen: boolean, requests: readonly RequestId[]): void {
  if (!isOpen) response.open(eventStreamHeaders)
  const events = requests.map(id => eventOf(JSON.stringify({ jsonrpc: '2.0', id, error: nodeGone })))
  response.end(events.join(''))
}

const nodeGone = {
  code: -32603,
  message:
    'The process that ran this request is gone, and what it asked of this client is withdrawn. What it asked on a desk is still open there, ' +
    'and the same call again goes on with it. What else it had done by then is not known: look before you send it again.',
}

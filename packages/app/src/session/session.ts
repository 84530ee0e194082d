// One conversation with a gateway, from hello to the end of its channel. It knows the protocol, and nothing of how the
// two came to talk: `host` and `dial` do.
import { CallCancelledError } from '@beckon/core'
import { encodeError, errorCodes, type Params, type RequestId, RpcError, RpcPeer } from '@beckon/core/json-rpc'
import type { Agent, AgentCapabilities } from '../app/context.js'
import type { Change, Offer } from '../app/offer.js'
import { ConnectionClosedError } from '../errors.js'
import { createContext } from '../invocation/create-context.js'
import { Invocation } from '../invocation/invocation.js'
import { runAction } from '../invocation/run-action.js'
import { type Channel, maxFrameBytes } from '../protocol/channel.js'
import { protocolCodes } from '../protocol/protocol-codes.js'
import { toRpcError } from '../protocol/to-rpc-error.js'
import { Subscriptions } from './subscriptions.js'
import { nothing, protocolVersion, readAgent, readCapabilities, readWelcome, type Welcome } from './welcome.js'

/** What a session is known by when it is taken up again. */
export interface Credentials {
  readonly sessionId: string
  readonly resumeToken: string
  /** The requests of invocations that ran when it was left: the side that takes it up says that they do not run any more. */
  readonly unanswered?: readonly RequestId[]
}

/** What a session tells the code that opened it. */
export interface SessionEvents {
  claimed(agent: Agent): void
  /** The requests of the invocations that run now. */
  running?(requests: readonly RequestId[]): void
}

const maxInvocations = 1_000

export class Session {
  readonly #offer: Offer
  readonly #peer: RpcPeer
  readonly #subscriptions: Subscriptions
  readonly #invocations = new Map<string, { readonly invocation: Invocation; readonly request: RequestId }>()
  readonly #events: SessionEvents
  readonly #send: Channel['send']
  /** What changed before the gateway was there to be told. */
  readonly #unannounced = new Set<Change>()
  #unwatch = () => {}
  #agent: Agent = { id: 'pending', name: '' }
  #capabilities: AgentCapabilities = nothing
  #isOpen = false

  constructor(offer: Offer, channel: Channel, events: SessionEvents) {
    this.#offer = offer
    this.#events = events
    this.#send = text => channel.send(text)
    this.#peer = new RpcPeer({
      send: this.#send,
      onRequest: async (method, params, reply, id) => reply(await this.#requested(method, params, id)),
      onNotification: (method, params) => this.#notified(method, params),
      toRpcError,
      maxBytes: maxFrameBytes,
    })
    this.#subscriptions = new Subscriptions(offer, (subscriptionId, value) =>
      this.#peer.notify('resources/updated', { subscriptionId, value: value ?? null }),
    )
  }

  get agent(): Agent {
    return this.#agent
  }

  get capabilities(): AgentCapabilities {
    return this.#capabilities
  }

  /** Introduces the app; or, with credentials, takes an earlier session up again. */
  open(credentials?: Credentials): Promise<Welcome> {
    const { identity, actions, resources } = this.#offer
    const { unanswered = [], ...known } = credentials ?? {}
    const method = credentials === undefined ? 'tesseron/hello' : 'tesseron/resume'
    // What changes before the answer is told after it.
    this.#unwatch()
    this.#unwatch = this.#offer.watch(change => this.#announce(change))
    const params = {
      protocolVersion,
      app: { origin: 'app://local', ...identity },
      actions: [...actions.values()].map(({ announced }) => announced),
      resources: [...resources.values()].map(({ announced }) => announced),
      capabilities: { streaming: true, subscriptions: true, sampling: true, elicitation: true },
      ...known,
    }
    return this.#peer.request(method, params, {
      read: answer => {
        const welcome = this.#welcomed(readWelcome(answer))
        for (const id of unanswered) this.#send(encodeError(id, toRpcError(new ConnectionClosedError())))
        return welcome
      },
    })
  }

  /** Takes a frame that came in. */
  receive(frame: string): void {
    this.#peer.receive(frame)
  }

  /** The channel is gone: so is everything that was going on. */
  end(): void {
    this.#unwatch()
    this.#peer.close(new ConnectionClosedError())
    this.#subscriptions.end()
    for (const { invocation } of this.#invocations.values()) invocation.abort(new ConnectionClosedError())
  }

  request(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    return this.#peer.request(method, params, { signal })
  }

  notify(method: string, params: object): void {
    this.#peer.notify(method, params)
  }

  #requested(method: string, params: Params, id: RequestId): unknown {
    switch (method) {
      case 'actions/invoke':
        return this.#invoke(params, id)
      case 'resources/read':
        return this.#followed.read(text(params, 'name'))
      case 'resources/subscribe':
        return this.#followed.subscribe(text(params, 'name'), text(params, 'subscriptionId'))
      case 'resources/unsubscribe':
        return this.#followed.unsubscribe(text(params, 'subscriptionId'))
      default:
        throw new RpcError(errorCodes.methodNotFound, `There is no method "${method}".`)
    }
  }

  #notified(method: string, params: Params): void {
    if (method === 'actions/cancel')
      this.#invocations.get(String(params.invocationId))?.invocation.abort(new CallCancelledError())
    else if (method === 'tesseron/claimed') this.#claimed(params)
  }

  #welcomed(welcome: Welcome): Welcome {
    this.#agent = welcome.agent
    this.#capabilities = welcome.capabilities
    this.#isOpen = true
    for (const change of this.#unannounced) this.#announce(change)
    this.#unannounced.clear()
    return welcome
  }

  #claimed({ agent, agentCapabilities }: Params): void {
    this.#agent = readAgent(agent) ?? this.#agent
    this.#capabilities = readCapabilities(agentCapabilities) ?? this.#capabilities
    this.#events.claimed(this.#agent)
  }

  #announce(change: Change): void {
    if (!this.#isOpen) {
      this.#unannounced.add(change)
      return
    }
    const list = change === 'actions' ? this.#offer.actions : this.#offer.resources
    this.#peer.notify(`${change}/list_changed`, { [change]: [...list.values()].map(({ announced }) => announced) })
  }

  /** Nobody reads or runs anything who has not answered the hello. */
  #requireOpen(): void {
    if (!this.#isOpen) throw new RpcError(protocolCodes.unauthorized, 'Answer the hello first.')
  }

  get #followed(): Subscriptions {
    this.#requireOpen()
    return this.#subscriptions
  }

  /** What runs has changed. What ran when the channel went stays unanswered. */
  #tellRunning(): void {
    if (this.#peer.isOpen) this.#events.running?.(Array.from(this.#invocations.values(), ({ request }) => request))
  }

  async #invoke(params: Params, request: RequestId): Promise<unknown> {
    const invocationId = text(params, 'invocationId')
    const name = text(params, 'name')
    this.#requireOpen()
    const action = this.#offer.actions.get(name)
    if (action === undefined) throw new RpcError(protocolCodes.notFound, `There is no action "${name}".`)
    if (this.#invocations.has(invocationId))
      throw new RpcError(errorCodes.invalidParams, `The invocation "${invocationId}" is running already.`)
    if (this.#invocations.size >= maxInvocations)
      throw new RpcError(errorCodes.internalError, 'Too many invocations are running.')
    const invocation = new Invocation(invocationId, action, this.#offer.clock)
    this.#invocations.set(invocationId, { invocation, request })
    this.#tellRunning()
    try {
      return {
        invocationId,
        output: await runAction(action, params.input, invocation, createContext(invocation, this)),
      }
    } finally {
      this.#invocations.delete(invocationId)
      this.#tellRunning()
    }
  }
}

function text(params: Params, name: string): string {
  const value = params[name]
  if (typeof value !== 'string' || value === '')
    throw new RpcError(errorCodes.invalidParams, `"${name}" must be a string.`)
  return value
}

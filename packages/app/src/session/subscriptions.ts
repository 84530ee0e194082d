import { errorCodes, RpcError } from '@beckon/core/json-rpc'
import type { Offer } from '../app/offer.js'
import { protocolCodes } from '../protocol/protocol-codes.js'
import { toRpcError } from '../protocol/to-rpc-error.js'

const maxSubscriptions = 1_000

/** Who reads and follows the resources of an app, in one session. */
export class Subscriptions {
  readonly #offer: Offer
  readonly #notify: (subscriptionId: string, value: unknown) => void
  readonly #stops = new Map<string, () => void>()

  constructor(offer: Offer, notify: (subscriptionId: string, value: unknown) => void) {
    this.#offer = offer
    this.#notify = notify
  }

  async read(name: string): Promise<{ value: unknown }> {
    const read = this.#offer.resources.get(name)?.read
    if (read === undefined) throw new RpcError(protocolCodes.notFound, `There is no resource "${name}" to read.`)
    try {
      return { value: (await read()) ?? null }
    } catch (error) {
      throw toRpcError(error)
    }
  }

  subscribe(name: string, subscriptionId: string): null {
    const subscribe = this.#offer.resources.get(name)?.subscribe
    if (subscribe === undefined) throw new RpcError(protocolCodes.notFound, `There is no resource "${name}" to follow.`)
    if (this.#stops.has(subscriptionId))
      throw new RpcError(errorCodes.invalidParams, `The subscription "${subscriptionId}" exists already.`)
    if (this.#stops.size >= maxSubscriptions)
      throw new RpcError(errorCodes.internalError, 'There are too many subscriptions.')
    let isFollowed = true
    let stop = () => {}
    this.#stops.set(subscriptionId, () => {
      isFollowed = false
      stop()
    })
    try {
      stop = subscribe(value => {
        if (isFollowed) this.#notify(subscriptionId, value)
      })
    } catch (error) {
      this.#stops.delete(subscriptionId)
      throw toRpcError(error)
    }
    return null
  }

  /** One that is not known is stopped already. */
  unsubscribe(subscriptionId: string): null {
    const stop = this.#stops.get(subscriptionId)
    this.#stops.delete(subscriptionId)
    try {
      stop?.()
    } catch (error) {
      throw toRpcError(error)
    }
    return null
  }

  end(): void {
    for (const subscriptionId of [...this.#stops.keys()]) {
      try {
        this.unsubscribe(subscriptionId)
      } catch {
        // One that does not stop must not keep the others from it.
      }
    }
  }
}

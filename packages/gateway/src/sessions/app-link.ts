// One connection of an application: first it says who it is, then it belongs to a session. What it asks before that, or
// before anyone has claimed it, reaches nobody.

import { errorCodes, type Params, RpcError } from '@beckon/core/json-rpc'
import { ask } from '../invocations/ask.js'
import type { Invocation } from '../invocations/invocation.js'
import { sample } from '../invocations/sample.js'
import { AppPeer } from '../wire/app-peer.js'
import type { Channel } from '../wire/channel.js'
import { type Offer, readActions, readOffer, readResources } from '../wire/offer.js'
import { protocolCodes } from '../wire/protocol-codes.js'
import type { AppSession } from './app-session.js'
import { readLogLevel } from './log-level.js'

/** What decides over connections, and hears of what happens on them. */
export interface LinkHost {
  /** A hello: the session that the connection belongs to from now on, and the reply. */
  hello(link: AppLink, offer: Offer): Promise<Welcome>
  /** The same for a session that was there before. */
  resume(link: AppLink, offer: Offer, params: Params): Promise<Welcome>
  /** The application offers something else now. */
  offerChanged(session: AppSession): void
  resourceUpdated(session: AppSession, name: string): void
  closed(link: AppLink, why: string): void
}

export interface Welcome {
  readonly session: AppSession
  readonly reply: Params
  /** Runs once the reply is on its way. */
  readonly after: () => void
}

const policyViolation = 1008

export class AppLink {
  readonly peer: AppPeer
  readonly #host: LinkHost
  #session: AppSession | undefined

  constructor(channel: Channel, host: LinkHost) {
    this.#host = host
    this.peer = new AppPeer(channel, {
      request: (method, params, reply) => this.#request(method, params, reply),
      notification: (method, params) => this.#notified(method, params),
      closed: why => host.closed(this, why),
    })
  }

  get session(): AppSession | undefined {
    return this.#session
  }

  async #request(method: string, params: Params, reply: (result: unknown) => void): Promise<void> {
    switch (method) {
      case 'tesseron/hello':
      case 'tesseron/resume':
        return this.#greet(method, params, reply)
      case 'elicitation/request':
        return reply(await ask(this.#invocation(params), params))
      case 'sampling/request':
        return reply(await sample(this.#invocation(params), params))
      default:
        if (this.#session !== undefined) throw new RpcError(errorCodes.methodNotFound, `There is no method ${method}.`)
        this.#closeSoon('say hello first')
        throw new RpcError(errorCodes.invalidRequest, 'Say hello first.')
    }
  }

  async #greet(method: string, params: Params, reply: (result: unknown) => void): Promise<void> {
    try {
      const welcome =
        method === 'tesseron/hello'
          ? await this.#host.hello(this, readOffer(params))
          : await this.#host.resume(this, resumedOffer(params), params)
      // In one turn: nobody may use the connection before the application knows that it is welcome.
      if (this.#session !== welcome.session) this.#session?.detach(this.peer, 'it began another session')
      this.#session = welcome.session
      welcome.session.attach(this.peer)
      reply(welcome.reply)
      welcome.after()
    } catch (error) {
      if (error instanceof RpcError && error.code === protocolCodes.protocolMismatch) this.#closeSoon(error.message)
      throw error
    }
  }

  /** After what is being answered now. */
  #closeSoon(reason: string): void {
    setImmediate(() => this.peer.close(policyViolation, reason.slice(0, 100)))
  }

  /** The invocation that a request names. Only one that runs, in the very application that asks. */
  #invocation({ invocationId }: Params): Invocation {
    const session = this.#session
    const invocation = session?.claim && session.invocations.get(String(invocationId))
    if (invocation === undefined)
      throw new RpcError(
        protocolCodes.unauthorized,
        'Only an invocation that runs may ask, in an application that is claimed.',
      )
    return invocation
  }

  #notified(method: string, params: Params): void {
    const session = this.#session
    if (session === undefined) return
    switch (method) {
      case 'actions/progress':
        progressed(session.invocations.get(String(params.invocationId)), params)
        break
      case 'log':
        logged(session, params)
        break
      case 'actions/list_changed':
        this.#offered(session, () => ({ ...session.offer, actions: readActions(params.actions) }))
        break
      case 'resources/list_changed':
        this.#offered(session, () => ({ ...session.offer, resources: readResources(params.resources) }))
        break
      case 'resources/updated': {
        const name = session.subscriptions.get(String(params.subscriptionId))
        if (name !== undefined) this.#host.resourceUpdated(session, name)
      }
    }
  }

  #offered(session: AppSession, read: () => Offer): void {
    try {
      session.offer = read()
    } catch {
      // A list that cannot be read changes nothing; a notification has no reply.
      return
    }
    this.#host.offerChanged(session)
  }
}

/** One that cannot be read resumes nothing: what an application does about -32011 is to say hello, and that says why. */
function resumedOffer(params: Params): Offer {
  try {
    return readOffer(params)
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== errorCodes.invalidParams) throw error
    throw new RpcError(protocolCodes.resumeFailed, error.message)
  }
}

function progressed(invocation: Invocation | undefined, { percent, message, data }: Params): void {
  invocation?.progress(
    typeof percent === 'number' && Number.isFinite(percent) ? percent : undefined,
    typeof message === 'string' ? message : undefined,
    data,
  )
}

function logged(session: AppSession, { invocationId, level, message, meta }: Params): void {
  const invocation = session.invocations.get(String(invocationId))
  const data = meta === undefined ? message : { message, meta }
  invocation?.ctx.log(readLogLevel(level), data, session.offer.app.id)
}

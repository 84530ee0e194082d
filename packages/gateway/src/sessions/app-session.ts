// One application as the gateway knows it: what it offers, who claimed it, and what runs in it. It outlives its
// connections; its invocations do not.
import type { Invocation } from '../invocations/invocation.js'
import { AppGoneError, type AppPeer } from '../wire/app-peer.js'
import type { Offer } from '../wire/offer.js'
import { type Agent, type AgentCapabilities, isSameCapabilities } from './agent.js'
import type { Claim } from './claim.js'

export class AppSession {
  readonly id: string
  /** Made by a host that may stand between us and the application, and may forget what it was told. */
  readonly isHosted: boolean
  readonly instanceId: string | undefined
  offer: Offer
  /** What a person can claim it by, as long as nobody has. */
  code: string | undefined
  /** What it may resume with once somebody has. */
  firstToken: string | undefined
  claim: Claim | undefined
  /** What runs in it, by invocation id. */
  readonly invocations: Map<string, Invocation> = new Map()
  /** The resources that are followed, by subscription id. */
  readonly subscriptions: Map<string, string> = new Map()
  #peer: AppPeer | undefined
  #known: AgentCapabilities | undefined

  constructor(options: { id: string; isHosted: boolean; instanceId: string | undefined; offer: Offer }) {
    this.id = options.id
    this.isHosted = options.isHosted
    this.instanceId = options.instanceId
    this.offer = options.offer
  }

  get isConnected(): boolean {
    return this.#peer?.isOpen ?? false
  }

  /** The connection. Throws when there is none. */
  get peer(): AppPeer {
    if (this.#peer === undefined) throw new AppGoneError('not connected')
    return this.#peer
  }

  /** Takes a new connection; an older one makes way. */
  attach(peer: AppPeer): void {
    const old = this.#peer
    this.#peer = peer
    this.#known = undefined
    if (old !== undefined && old !== peer) old.close(replaced, 'replaced')
  }

  /** The connection is gone. False when it was not this session's any more. */
  detach(peer: AppPeer, why: string): boolean {
    if (this.#peer !== peer) return false
    this.#peer = undefined
    this.endInvocations(new AppGoneError(why))
    this.subscriptions.clear()
    return true
  }

  /** Ends the connection, and with it whatever runs. */
  disconnect(code: number, reason: string): void {
    this.#peer?.close(code, reason)
  }

  /** What runs has nobody to answer it any more. */
  endInvocations(error: Error): void {
    for (const invocation of this.invocations.values()) invocation.stop(error)
  }

  /** Tells the application who it works for, and what can be asked of them. */
  notifyClaimed(agent: Agent, agentCapabilities: AgentCapabilities): void {
    this.#known = agentCapabilities
    this.#peer?.notify('tesseron/claimed', { agent, claimedAt: this.claim?.claimedAt, agentCapabilities })
  }

  /** The same before an invocation, where the application may have it otherwise. */
  remind(agent: Agent, capabilities: AgentCapabilities): void {
    if (this.isHosted || this.#known === undefined || !isSameCapabilities(this.#known, capabilities))
      this.notifyClaimed(agent, capabilities)
  }
}

/** A newer connection, or a newer application of the same id, took its place. */
export const replaced = 4001

// One run of an action, for one call. Whatever the application asks in its name goes to the person, or the model, of
// that call; once it has ended nothing does.

import { type Clock, Stopwatch } from '@beckon/core'
import { RpcError } from '@beckon/core/json-rpc'
import type { Context } from 'beckon'
import { AppGoneError, type AppPeer } from '../wire/app-peer.js'
import { protocolCodes } from '../wire/protocol-codes.js'
import { Heartbeat } from './heartbeat.js'
import { graceMs, maxAsks, maxOpenAsks } from './limits.js'

export interface InvocationOptions {
  readonly id: string
  readonly ctx: Context
  /** The name of the application, as it was claimed: a person is told who asks. */
  readonly asker: string
  /** Whether a desk takes what the client cannot show. */
  readonly hasDesk: boolean
  readonly clock: Clock
  readonly timeoutMs: number
  /** How many models stand between the person and this. */
  readonly depth: number
  /** The connection, where it says nothing of whether the application is there. */
  readonly hostedPeer?: AppPeer | undefined
}

export class Invocation {
  readonly id: string
  readonly ctx: Context
  readonly asker: string
  readonly hasDesk: boolean
  readonly depth: number
  readonly #stopwatch: Stopwatch
  readonly #heartbeat: Heartbeat | undefined
  readonly #open = new Set<(error: Error) => void>()
  readonly #ending: Promise<never>
  #end: (error: Error) => void = () => {}
  /** Whether it ended before the application answered. */
  wasStopped = false
  #asked = 0
  #sampling = 0
  #lastProgress = 0
  #hasEnded = false

  constructor({ id, ctx, asker, hasDesk, clock, timeoutMs, depth, hostedPeer }: InvocationOptions) {
    this.id = id
    this.ctx = ctx
    this.asker = asker
    this.hasDesk = hasDesk
    this.depth = depth
    this.#ending = new Promise((_, reject) => {
      this.#end = reject
    })
    // Nobody may be waiting for it.
    this.#ending.catch(() => {})
    const timeout = new RpcError(protocolCodes.timeout, `The action did not answer within ${timeoutMs} ms.`)
    this.#stopwatch = new Stopwatch(clock, timeoutMs + graceMs, () => this.stop(timeout))
    this.#stopwatch.run()
    if (hostedPeer !== undefined)
      this.#heartbeat = new Heartbeat(clock, hostedPeer, () =>
        this.stop(new AppGoneError('it does not answer any more')),
      )
  }

  /** Whether a model is being asked for it now. */
  get isSampling(): boolean {
    return this.#sampling > 0
  }

  /** Settles with the application's answer, or rejects when the invocation is stopped before. */
  async until<T>(answer: Promise<T>): Promise<T> {
    try {
      return await Promise.race([answer, this.#ending])
    } finally {
      this.#finish(new RpcError(protocolCodes.cancelled, 'The invocation has ended.'))
    }
  }

  /** Ends it before the application did. */
  stop(error: Error): void {
    if (this.#hasEnded) return
    this.wasStopped = true
    this.#end(error)
    this.#finish(error)
  }

  /** Waits for a person or a model: that time is not the action's. */
  async wait<T>(kind: 'ask' | 'sample', answer: () => Promise<T>): Promise<T> {
    if (this.#open.size >= maxOpenAsks || this.#asked >= maxAsks)
      throw new RpcError(
        protocolCodes.unauthorized,
        `An invocation asks at most ${maxAsks} times, and ${maxOpenAsks} at once.`,
      )
    this.#asked++
    if (kind === 'sample') this.#sampling++
    if (this.#open.size === 0) this.#whileAsked(true)
    let withdraw: (error: Error) => void = () => {}
    const withdrawn = new Promise<never>((_, reject) => {
      withdraw = reject
    })
    this.#open.add(withdraw)
    try {
      return await Promise.race([answer(), withdrawn])
    } finally {
      this.#open.delete(withdraw)
      if (kind === 'sample') this.#sampling--
      if (this.#open.size === 0 && !this.#hasEnded) this.#whileAsked(false)
    }
  }

  /** Passes on how far it is. What the protocol wants to grow grows, whatever the application says. */
  progress(percent: number | undefined, message: string | undefined, data: unknown): void {
    const next = Math.max(percent ?? 0, this.#lastProgress + minStep)
    this.#lastProgress = next
    this.ctx.progress(next, 100, message, data === undefined ? undefined : { [progressDataMeta]: data })
  }

  #whileAsked(isAsking: boolean): void {
    if (isAsking) {
      this.#stopwatch.stop()
      this.#heartbeat?.run()
    } else {
      this.#heartbeat?.stop()
      this.#stopwatch.run()
    }
  }

  #finish(error: Error): void {
    this.#hasEnded = true
    this.#stopwatch.stop()
    this.#heartbeat?.stop()
    for (const withdraw of this.#open) withdraw(error)
  }
}

/** Where the data of an application's progress is in a progress notification. */
const progressDataMeta = 'tesseron/data'
const minStep = 0.001

// A request that brings a state back whose handler is suspended here: it goes on.

import type { Owner } from '../log/events.js'
import { roundOf } from '../log/reduce.js'
import { whenCancelled } from '../protocol/when-cancelled.js'
import { type Answered, clientAsks, digestOf, judged, newEntries, readReplies } from './answers.js'
import type { Attempt } from './attempt.js'
import type { CallReply, CallRequest } from './call-request.js'
import { clientGone } from './held-requests.js'
import { checkBinding, expired, markOpen } from './request-states.js'
import type { RunnerParts } from './runner-parts.js'

export class RoundsInMemory<T> {
  readonly #parts: RunnerParts<T>

  constructor(parts: RunnerParts<T>) {
    this.#parts = parts
  }

  answer(request: CallRequest<T>, state: string, attempt: Attempt<T>): Promise<CallReply> {
    try {
      const reply = this.#resume(request, state, attempt)
      return reply instanceof Promise ? reply : Promise.resolve(reply)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Not an async function: without a store there is nothing to wait for. */
  #resume(request: CallRequest<T>, state: string, attempt: Attempt<T>): CallReply | Promise<CallReply> {
    const { clock, replay } = this.#parts
    const { call, suspended } = attempt
    const now = clock.now()
    if (suspended === undefined || now >= suspended.expiresAt) throw expired()
    checkBinding({ target: call.target, principal: call.principal ?? null }, request.target, request.incoming.principal)
    const open = clientAsks(call.openAsks)
    const brought = readReplies(suspended.asks.map(markOpen), request, now)
    const { node, clockSkewMs } = this.#parts.rules
    const answered = judged(
      brought.filter(([{ id }]) => open.some(ask => ask.id === id)),
      attempt.log.state,
      { now, node, clockSkewMs },
    )
    const isMoved = call.hasEnded || open.some(({ id }) => !suspended.asks.some(ask => ask.id === id))
    if (answered.length === 0 && !isMoved && (open.length > 0 || !attempt.isDurable)) {
      // Nobody answered anything: the same is asked again, or the wait outside goes on.
      return open.length > 0
        ? { kind: 'asks', asks: suspended.asks, state }
        : this.#waitOutside(request, attempt, state)
    }
    if ((request.incoming.replay ?? replay) === 'always' && !attempt.isDurable) {
      this.#parts.suspended.take(state)
      call.drop()
      return this.#parts.returned(request, state, 'always')
    }
    this.#parts.suspended.take(state)
    attempt.suspended = undefined
    call.attach(request.incoming)
    const { expiresAt } = suspended
    const answers = digestOf(brought)
    const isMine = this.#claim(attempt, answered, { answers, expiresAt })
    if (typeof isMine === 'boolean') return this.#goOn(request, attempt, { state, isMine })
    return isMine.then(
      mine => this.#goOn(request, attempt, { state, isMine: mine }),
      error => {
        // A store that cannot be reached has decided nothing: the call waits on.
        attempt.suspended = suspended
        call.suspend()
        this.#parts.suspended.add(state, attempt)
        throw error
      },
    )
  }

  #goOn(
    request: CallRequest<T>,
    attempt: Attempt<T>,
    { state, isMine }: { state: string; isMine: boolean },
  ): Promise<CallReply> {
    if (isMine) return this.#parts.replies.respond(request, attempt)
    // Another process was faster: this copy was overtaken.
    attempt.release('other-process')
    return this.#parts.returned(request, state)
  }

  /** Has a round answered for a run that is here. False when it was overtaken. */
  #claim(
    attempt: Attempt<T>,
    answered: readonly Answered[],
    { answers, expiresAt }: { answers: string; expiresAt: number },
  ): boolean | Promise<boolean> {
    const joining = this.#parts.join()
    if (joining !== undefined) return joining.then(() => this.#claim(attempt, answered, { answers, expiresAt }))
    const { nodes, clock } = this.#parts
    const { round, call } = attempt
    const owner: Owner = { node: nodes.id, run: attempt.run }
    const isMine = this.#parts.working.take(attempt, () =>
      attempt.writeNow(state => {
        if (roundOf(state, round) !== undefined) return undefined
        const entries = [...call.unlogged, ...newEntries(answered, state)]
        return { kind: 'answered', entries, round, answers, owner, at: clock.now() }
      }, expiresAt),
    )
    return typeof isMine === 'boolean'
      ? claimed(attempt, round, isMine)
      : isMine.then(mine => claimed(attempt, round, mine))
  }

  /** A retry of a call that waits for nothing but the outside: its state stays good until something happened. */
  async #waitOutside(request: CallRequest<T>, attempt: Attempt<T>, state: string): Promise<CallReply> {
    const { call } = attempt
    const { incoming } = request
    call.attach(incoming)
    attempt.waiters ??= { incoming: new Set(), reply: this.#watchOutside(request, attempt, state) }
    const { incoming: present, reply } = attempt.waiters
    present.add(incoming)
    const stopWatching = whenCancelled(incoming, () => {
      if (present.delete(incoming) && present.size === 0) call.drop(clientGone())
    })
    return reply.finally(stopWatching)
  }

  async #watchOutside(request: CallRequest<T>, attempt: Attempt<T>, state: string): Promise<CallReply> {
    const { call } = attempt
    const pause = await call.pause()
    attempt.waiters = undefined
    if (pause.kind === 'outside') {
      call.suspend()
      return { kind: 'asks', asks: [], state }
    }
    this.#parts.suspended.take(state)
    attempt.suspended = undefined
    attempt.round++
    return this.#parts.replies.reply(request, attempt, pause)
  }
}

/** Notes that a round was answered here; from then on the run works on it. */
function claimed<T>(attempt: Attempt<T>, round: number, isMine: boolean): boolean {
  if (!isMine) return false
  attempt.call.unlogged = []
  attempt.answeredRound = round
  attempt.round = round + 1
  return true
}

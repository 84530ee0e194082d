// A request that brings a state back whose handler is suspended here: it goes on.

import type { Pause } from '../call/call-types.js'
import { whenCancelled } from '../protocol/when-cancelled.js'
import { nowOrLater } from '../runtime/now-or-later.js'
import { clientAsks, digestOf, judged, readReplies } from './answers.js'
import type { Attempt } from './attempt.js'
import type { CallReply, CallRequest } from './call-request.js'
import { clientGone } from './held-requests.js'
import { checkBinding, expired, markOpen } from './request-states.js'
import type { RunnerParts } from './runner.js'

/** A request, and the run that waits for it. */
interface Brought<T> {
  readonly request: CallRequest<T>
  readonly state: string
  readonly attempt: Attempt<T>
}

/** Not an async function: without a store there is nothing to wait for. @throws StateRejectedError for a state that is not this request's */
export function answerSuspended<T>(parts: RunnerParts<T>, brought: Brought<T>): CallReply | Promise<CallReply> {
  const { clock, replay, runs, rules, replies } = parts
  const { request, state, attempt } = brought
  const { call, suspended } = attempt
  const now = clock.now()
  if (suspended === undefined || now >= suspended.expiresAt) throw expired()
  checkBinding({ target: call.target, principal: call.principal ?? null }, request.target, request.incoming.principal)
  const open = clientAsks(call.openAsks)
  const sent = readReplies(suspended.asks.map(markOpen), request, now)
  const { node, clockSkewMs } = rules
  const answered = judged(
    sent.filter(([{ id }]) => open.some(ask => ask.id === id)),
    attempt.log.state,
    { now, node, clockSkewMs },
  )
  const isMoved = call.hasEnded || open.some(({ id }) => !suspended.asks.some(ask => ask.id === id))
  if (answered.length === 0 && !isMoved && (open.length > 0 || !attempt.isDurable)) {
    // Nobody answered anything: the same is asked again, or the wait outside goes on.
    return open.length > 0 ? { kind: 'asks', asks: suspended.asks, state } : waitOutside(parts, brought)
  }
  if ((request.incoming.replay ?? replay) === 'always' && !attempt.isDurable) {
    runs.resume(attempt)
    call.drop()
    return parts.returned(request, state, 'always')
  }
  runs.resume(attempt)
  call.attach(request.incoming)
  return nowOrLater(
    attempt.takeRound({ answered, digest: digestOf(sent) }),
    isMine => (isMine ? replies.respond({ request, attempt }) : parts.returned(request, state)),
    error => {
      // A store that cannot be reached has decided nothing: the call waits on.
      call.suspend()
      runs.suspend(attempt, suspended)
      throw error
    },
  )
}

/** A retry of a call that waits for nothing but the outside: its state stays good until something happened. */
async function waitOutside<T>(parts: RunnerParts<T>, brought: Brought<T>): Promise<CallReply> {
  const {
    request,
    request: { incoming },
    state,
    attempt,
  } = brought
  const { call } = attempt
  call.attach(incoming)
  attempt.waitsOutside = true
  attempt.waiters ??= { incoming: new Set(), pause: watchOutside(parts, attempt), reply: undefined }
  const { waiters } = attempt
  waiters.incoming.add(incoming)
  const stopWatching = whenCancelled(incoming, () => {
    if (waiters.incoming.delete(incoming) && waiters.incoming.size === 0) call.drop(clientGone())
  })
  const pause = await waiters.pause
  stopWatching()
  if (pause.kind === 'outside') return { kind: 'asks', asks: [], state }
  const reply = async () => parts.replies.replyLast({ request, attempt }, pause)
  if (pause.kind !== 'background') {
    waiters.reply ??= reply()
    return waiters.reply
  }
  // Answers come without them, and from here on each waits by itself: the call is not left with one that is gone.
  if (!waiters.incoming.has(incoming)) throw clientGone()
  return reply()
}

async function watchOutside<T>(parts: RunnerParts<T>, attempt: Attempt<T>): Promise<Pause<T>> {
  const { call } = attempt
  const pause = await call.pause()
  attempt.waiters = undefined
  if (pause.kind === 'outside') call.suspend()
  else parts.runs.resume(attempt)
  return pause
}

import type { AskingMethod, TaskMethod } from '../../call/incoming.js'
import { completeResult } from '../../protocol/rev2026/complete-result.js'
import { rev20260728 } from '../../protocol/rev2026/rev2026.js'
import { internalError, wireErrorOf } from '../../protocol/wire-error.js'
import { afterTurn } from '../../runtime/after-turn.js'
import type { Exchange } from '../exchange/exchange.js'
import type { Served } from '../served.js'
import { LeanCall, type LeanContext } from './lean-call.js'
import type { RegularRequest } from './regular-request.js'

/** Answers a regular 2026-07-28 request. */
export function answerLean(
  served: Served,
  request: RegularRequest<AskingMethod>,
  exchange: Exchange,
  context: LeanContext,
): void {
  const call = new LeanCall(request, exchange, context)
  reply(served, call, served.answer(call))
}

/** Answers one about a task. */
export function answerLeanTask(
  served: Served,
  request: RegularRequest<TaskMethod>,
  exchange: Exchange,
  context: LeanContext,
): void {
  const call = new LeanCall(request, exchange, context)
  reply(served, call, served.answerTask?.(call) ?? Promise.reject(new Error('There are no tasks here.')))
}

/** Replies with what a request is answered with. */
export function reply(served: Served, call: Replying, answer: Promise<Record<string, unknown>>): void {
  answer.then(
    result => afterTurn(() => succeed(served, call, result)),
    error => afterTurn(() => fail(served, call, error)),
  )
}

/** What replies to a request, whatever it was for. */
type Replying = Pick<LeanCall, 'succeed' | 'fail'> & { readonly method: string }

function succeed(served: Served, call: Replying, result: Record<string, unknown>): void {
  try {
    call.succeed(completeResult(result, call.method, served.info))
  } catch (error) {
    // A result that is not JSON.
    fail(served, call, error)
  }
}

/** Replies with an error. */
export function fail(served: Served, call: Replying, thrown: unknown): void {
  const error = wireErrorOf(thrown, rev20260728)
  if (error === undefined) served.onError?.(thrown)
  try {
    call.fail(error ?? internalError)
  } catch (unwritable) {
    // Its data is not JSON.
    served.onError?.(unwritable)
    call.fail(internalError)
  }
}

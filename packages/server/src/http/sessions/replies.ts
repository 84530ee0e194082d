import { BeckonError } from '@beckon/core'
import type { RequestId } from '../../protocol/messages.js'
import type { WireError } from '../../protocol/wire-error.js'
import { internalError } from '../../protocol/wire-error.js'
import { afterTurn } from '../../runtime/after-turn.js'
import { MailboxFullError } from '../../store/handles/index.js'
import type { HttpResponse } from '../exchange/exchange.js'
import { accept, refuse } from '../reply-with.js'
import { NodeGoneError, RecordTooLargeError, SessionGoneError } from './shared/errors.js'

export function refuseEventId(response: HttpResponse): void {
  refuse(response, 400, { code: -32000, message: 'Bad Request: unknown Last-Event-ID' })
}

const unknownSession: WireError = { code: -32001, message: 'Session not found' }

export function refuseUnknownSession(response: HttpResponse): void {
  refuse(response, 404, unknownSession)
}

/** Refuses what could not be done because of the store, or of another node. */
export function refuseFailure(response: HttpResponse, error: unknown): void {
  if (error instanceof SessionGoneError) refuseUnknownSession(response)
  else if (error instanceof NodeGoneError) refuse(response, 400, { code: -32000, message: error.message })
  else refuse(response, 503, { ...wireError(error), headers: ['Retry-After', '5'] })
}

/** Answers 202, once what was sent to other nodes is stored; what stayed here is undefined. */
export function acceptOnceStored(response: HttpResponse, sent: readonly (Promise<void> | undefined)[]): void {
  if (sent.every(isHere)) afterTurn(() => accept(response))
  else
    Promise.all(sent).then(
      () => accept(response),
      error => refuseFailure(response, error),
    )
}

function isHere(sent: Promise<void> | undefined): boolean {
  return sent === undefined
}

/** The answer to a request whose result could not be stored. */
export function errorJson(id: RequestId, error: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: wireError(error) })
}

function wireError(error: unknown): WireError {
  if (error instanceof MailboxFullError)
    return { code: -32000, message: 'Too much is on its way to another process; try again later' }
  if (error instanceof SessionGoneError) return unknownSession
  const isOurs = error instanceof BeckonError || error instanceof RecordTooLargeError
  return isOurs ? { code: -32000, message: error.message } : internalError
}

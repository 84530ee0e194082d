import { encodeError, encodeNotification, encodeResult, type Params, RpcError } from '@beckon/core/json-rpc'
import { rootChannel } from '../dialects/channels.js'
import { refusals } from '../policy/refusals.js'
import type { Connection, Handler } from './connection.js'
import { type Dispatched, dispatchAction } from './dispatch.js'
import { errorCodes } from './error-codes.js'
import { initialize, type Reply, reconnect } from './handshake.js'
import { closeCodes } from './limits.js'
import { listAsks } from './list-asks.js'
import type { LiveDesk } from './live-desk.js'
import { createSession, disposeSession, listSessions } from './sessions.js'
import { subscribe } from './subscribe.js'
import { fetchTurns, turnsWanted } from './turns.js'

/** Does what the messages of a connection ask for, and answers them. */
export function handleWith(desk: LiveDesk): Handler {
  return async function handle(connection, message, isTooMuch) {
    const { method, params } = message
    if (message.kind === 'notification') return notified(desk, connection, { method, params, isTooMuch })
    try {
      if (isTooMuch) throw new RpcError(errorCodes.tooMany, 'Too many messages at once. Wait a moment, and ask again.')
      await answered(desk, connection, { method, params }, result => {
        connection.answer(encodeResult(message.id, result))
      })
    } catch (error) {
      if (!(error instanceof RpcError)) desk.onError(error)
      const known =
        error instanceof RpcError ? error : new RpcError(errorCodes.internalError, 'The desk could not do this.')
      connection.answer(encodeError(message.id, known))
      if (known.code === errorCodes.unsupportedVersion) connection.end(closeCodes.unsupported, 'No version in common.')
    }
  }
}

/** What cannot be answered is ignored when it makes no sense. */
async function notified(
  desk: LiveDesk,
  connection: Connection,
  { method, params, isTooMuch }: { method: string; params: Params; isTooMuch: boolean },
): Promise<void> {
  const { client } = connection
  if (client === undefined) return
  if (method === 'dispatchAction') await dispatchAction(desk, connection, client, { params, isTooMuch })
  if (method === 'unsubscribe') unsubscribe(desk, connection, params)
}

async function answered(
  desk: LiveDesk,
  connection: Connection,
  { method, params }: { method: string; params: Params },
  reply: Reply,
): Promise<void> {
  switch (method) {
    case 'ping':
      return reply('null')
    case 'initialize':
      return initialize(desk, connection, params, reply)
    case 'reconnect':
      return reconnect(desk, connection, params, reply)
  }
  const { client } = connection
  if (client === undefined) throw new RpcError(errorCodes.invalidRequest, 'Send initialize first.')
  switch (method) {
    case 'subscribe': {
      const { channel } = params
      if (typeof channel !== 'string') throw new RpcError(errorCodes.invalidParams, 'channel is the name of a channel.')
      const subscribed = await subscribe(desk, connection, client, { channel, lastTurns: turnsWanted(params) })
      if (subscribed === undefined) throw notThere(channel)
      return reply(JSON.stringify({ snapshot: subscribed() }))
    }
    // Notifications both; whoever sends them as requests is answered.
    case 'unsubscribe':
      unsubscribe(desk, connection, params)
      return reply('null')
    case 'dispatchAction':
      return reply(takenOrThrow(params, await dispatchAction(desk, connection, client, { params, isTooMuch: false })))
    case 'fetchTurns':
      return reply(JSON.stringify(await fetchTurns(desk, connection, client, params)))
    case 'createSession':
      return reply(await createSession(desk, connection, client, params))
    case 'disposeSession':
      return reply(await disposeSession(desk, connection, client, params))
    case 'listSessions':
      return reply(await listSessions(desk, connection, client, params))
    case 'beckon/asks':
      return reply(JSON.stringify(await listAsks(desk, connection, params)))
    case 'beckon/tryIt':
      if (desk.tryIt === undefined) throw new RpcError(errorCodes.notFound, 'There is nothing to try on this desk.')
      desk.tryIt(news => connection.tell(encodeNotification('beckon/tried', { channel: rootChannel, ...news })))
      return reply('null')
    default:
      throw new RpcError(errorCodes.methodNotFound, 'The desk has no such method.')
  }
}

function unsubscribe({ feed: { subscribers } }: LiveDesk, connection: Connection, { channel }: Params): void {
  if (typeof channel === 'string') subscribers.remove(channel, connection)
}

function takenOrThrow({ channel, clientSeq }: Params, dispatched: Dispatched): string {
  if (dispatched.kind === 'taken') return 'null'
  if (dispatched.kind === 'refused') {
    const { code, reason } = dispatched
    if (code === 'recorded') return JSON.stringify({ status: code, message: reason })
    throw new RpcError(refusals[code].rpc, reason, { code })
  }
  if (typeof channel === 'string' && Number.isSafeInteger(clientSeq)) throw notThere(channel)
  throw new RpcError(errorCodes.invalidParams, 'An action has a channel, and clientSeq: a whole number.')
}

function notThere(channel: string): RpcError {
  return channel.startsWith('ahp-session:')
    ? new RpcError(errorCodes.sessionNotFound, 'There is no such session.')
    : new RpcError(errorCodes.notFound, 'There is no such channel.')
}

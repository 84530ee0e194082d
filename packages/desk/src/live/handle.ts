import { encodeError, encodeResult, type Params, RpcError } from '@beckon/core/json-rpc'
import {
  liveErrorCodes as errorCodes,
  type LiveMethod,
  type LiveResult,
  type Recorded,
  rootChannel,
} from '@beckon/core/live'
import type { Client, Connection, Handler } from './connection.js'
import { type Dispatched, dispatchAction } from './dispatch.js'
import { initialize, type Reply, reconnect } from './handshake.js'
import { closeCodes } from './limits.js'
import { listAsks } from './list-asks.js'
import type { LiveDesk } from './live-desk.js'
import { encodeLive } from './notifications.js'
import { rpcErrorOf } from './rpc-error-of.js'
import { createSession, disposeSession, listSessions } from './sessions.js'
import { subscribe } from './subscribe.js'
import { fetchTurns, turnsWanted } from './turns.js'

/** Does what the messages of a connection ask for, and answers them. */
export function handleWith(desk: LiveDesk): Handler {
  return async function handle(connection, message, isTooMuch) {
    const { method, params } = message
    if (message.kind === 'notification') return notified(desk, connection, { method, params, isTooMuch })
    try {
      if (isTooMuch) throw rpcErrorOf({ code: 'too-many' })
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

/** One message of a client that has introduced itself. What is in `params` is for each method to find out. */
interface Call {
  readonly desk: LiveDesk
  readonly connection: Connection
  readonly client: Client
  readonly params: Params
}

/** Those that a client begins with are the handshake's. */
type Method = Exclude<LiveMethod, 'ping' | 'initialize' | 'reconnect'>

const methods: { readonly [M in Method]: (call: Call, reply: Reply<LiveResult<M>>) => void | Promise<void> } = {
  async subscribe({ desk, connection, client, params }, reply) {
    const { channel } = params
    if (typeof channel !== 'string') throw new RpcError(errorCodes.invalidParams, 'channel is the name of a channel.')
    const subscribed = await subscribe(desk, connection, client, { channel, lastTurns: turnsWanted(params) })
    if (subscribed === undefined) throw notThere(channel)
    reply({ snapshot: subscribed() })
  },
  // Notifications both; a client that sends them as requests is answered.
  unsubscribe({ desk, connection, params }, reply) {
    unsubscribe(desk, connection, params)
    reply(null)
  },
  async dispatchAction({ desk, connection, client, params }, reply) {
    reply(takenOrThrow(params, await dispatchAction(desk, connection, client, { params, isTooMuch: false })))
  },
  async fetchTurns({ desk, connection, client, params }, reply) {
    reply(await fetchTurns(desk, connection, client, params))
  },
  async createSession({ desk, connection, client, params }, reply) {
    reply(await createSession(desk, connection, client, params))
  },
  async disposeSession({ desk, connection, client, params }, reply) {
    reply(await disposeSession(desk, connection, client, params))
  },
  async listSessions({ desk, connection, client, params }, reply) {
    reply(await listSessions(desk, connection, client, params))
  },
  async 'beckon/asks'({ desk, connection, params }, reply) {
    reply(await listAsks(desk, connection, params))
  },
  // Not waited for: an author's function may take its time, and other messages of the connection have their turn.
  'beckon/find'({ desk, connection, params }, reply) {
    const { session, requestId, search } = params
    if (typeof session !== 'string' || typeof requestId !== 'string' || typeof search !== 'string')
      throw new RpcError(errorCodes.invalidParams, 'session, requestId and search are texts.')
    desk.finders.find(connection.viewer, { session, ask: requestId, search }).then(
      options => reply(options === undefined ? {} : { options }),
      error => {
        desk.onError(error)
        reply({})
      },
    )
  },
  'beckon/tryIt'({ desk, connection }, reply) {
    if (desk.tryIt === undefined) throw new RpcError(errorCodes.notFound, 'There is nothing to try on this desk.')
    desk.tryIt(news => connection.tell(encodeLive('beckon/tried', { channel: rootChannel, ...news })))
    reply(null)
  },
}

async function answered(
  desk: LiveDesk,
  connection: Connection,
  { method, params }: { method: string; params: Params },
  reply: Reply<object | null | string>,
): Promise<void> {
  switch (method) {
    case 'ping':
      return reply(null)
    case 'initialize':
      return initialize(desk, connection, params, reply)
    case 'reconnect':
      return reconnect(desk, connection, params, reply)
  }
  const { client } = connection
  if (client === undefined) throw new RpcError(errorCodes.invalidRequest, 'Send initialize first.')
  if (!isMethod(method)) throw new RpcError(errorCodes.methodNotFound, 'The desk has no such method.')
  return methods[method]({ desk, connection, client, params }, reply)
}

function isMethod(name: string): name is Method {
  return Object.hasOwn(methods, name)
}

function unsubscribe({ feed: { subscribers } }: LiveDesk, connection: Connection, { channel }: Params): void {
  if (typeof channel === 'string') subscribers.remove(channel, connection)
}

function takenOrThrow({ channel, clientSeq }: Params, dispatched: Dispatched): null | Recorded {
  if (dispatched.kind === 'taken') return null
  if (dispatched.kind === 'refused') {
    const { refusal, reason } = dispatched
    if (refusal.code === 'recorded') return { status: refusal.code, params: refusal.params, message: reason }
    throw rpcErrorOf(refusal, reason)
  }
  if (typeof channel === 'string' && Number.isSafeInteger(clientSeq)) throw notThere(channel)
  throw new RpcError(errorCodes.invalidParams, 'An action has a channel, and clientSeq: a whole number.')
}

function notThere(channel: string): RpcError {
  return channel.startsWith('ahp-session:')
    ? rpcErrorOf({ code: 'session-not-found' })
    : new RpcError(errorCodes.notFound, 'There is no such channel.')
}

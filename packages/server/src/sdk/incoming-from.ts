import type { ServerContext } from '@modelcontextprotocol/server'
import type { Answerer, AskingMethod, ClientCapabilities, Incoming } from '../call/incoming.js'
import type { Link } from '../protocol/link.js'
import { capabilitiesKey, clientKey } from '../protocol/meta-keys.js'
import { rev20260728 } from '../protocol/rev2026/rev2026.js'
import { type Connected, connectedPeer } from './connected-peer.js'
import { envelopeOf } from './envelope-of.js'
import { SdkCall } from './sdk-call.js'

export interface Connection {
  readonly server: Connected
  /** Left out for a server that someone else connected. */
  readonly link?: Pick<Link, 'principal' | 'sessionId'> | undefined
}

/** A request in a handler of the SDK, as the engine sees it; in either era. `close` it when its reply is made. */
export function incomingFrom(
  ctx: ServerContext,
  params: Readonly<Record<string, unknown>>,
  { server, link }: Connection,
): SdkCall {
  const { _meta, ...rest } = params
  const { method, requestState } = ctx.mcpReq
  const state = requestState<unknown>()
  if (state !== undefined && typeof state !== 'string') throw { code: -32602, message: 'requestState must be a string' }
  const envelope = envelopeOf(ctx)
  const peer = envelope === undefined ? connectedPeer(server) : modernPeer(envelope)
  return new SdkCall(ctx, {
    // A handler for another method has no business here, and the SDK dispatches by method.
    method: method as AskingMethod,
    params: rest,
    ...peer,
    principal: link?.principal,
    sessionId: link === undefined ? ctx.sessionId : link.sessionId,
    requestState: state,
    header: headerOf(ctx),
  })
}

/** Answers a request in a handler of the SDK. */
export async function answerFrom(
  answer: Answerer,
  ctx: ServerContext,
  { params, ...connection }: Connection & { readonly params: Readonly<Record<string, unknown>> },
): Promise<Record<string, unknown>> {
  const incoming = incomingFrom(ctx, params, connection)
  try {
    return await answer(incoming)
  } finally {
    incoming.close()
  }
}

function headerOf({ http }: ServerContext): Incoming['header'] {
  const headers = http?.req?.headers
  return headers && (name => headers.get(name) ?? undefined)
}

type PeerFacts = Pick<SdkCall, 'revision' | 'capabilities' | 'client'>

function modernPeer(envelope: Readonly<Record<string, unknown>>): PeerFacts {
  return {
    revision: rev20260728.revision,
    // The SDK has checked the envelope before it called the handler.
    capabilities: (envelope[capabilitiesKey] ?? {}) as ClientCapabilities,
    client: envelope[clientKey] as PeerFacts['client'],
  }
}

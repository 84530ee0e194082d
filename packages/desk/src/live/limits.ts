import type { ServerOptions } from 'ws'
import type { Rate } from '../limits/token-bucket.js'

/** What one connection may do to a desk, and how many someone may have. */
export interface LiveLimits {
  /** Connections of one person, over all their devices, to this node. */
  readonly maxConnections: number
  /** A message that is longer closes the connection, and is never held in memory. */
  readonly maxFrameBytes: number
  /** Messages above this rate are refused, one by one, with a reason. */
  readonly messages: Rate
  /** Bytes that one person sends to this node, over all their connections; messages above this rate are refused, too. */
  readonly bytes: Rate
  /** Refusals above this rate are an attack, and close the connection. */
  readonly refusals: Rate
  /** What is not a message of the protocol at all; above this rate it closes the connection. */
  readonly garbage: Rate
  readonly maxSubscriptions: number
  /** What may wait for a client that reads slowly. */
  readonly maxBufferedBytes: number
  /** Messages that may wait for their turn before no more are read. */
  readonly maxWaiting: number
  /** How much may be sent again to a client that comes back, before it gets snapshots instead. */
  readonly maxReplayBytes: number
  /** How often a connection is looked at; one that has not answered since the last time is over. */
  readonly heartbeatMs: number
}

export const defaultLimits: LiveLimits = {
  maxConnections: 2_000,
  maxFrameBytes: 256 * 1024,
  messages: { perSecond: 200, burst: 400 },
  bytes: { perSecond: 1024 * 1024, burst: 16 * 1024 * 1024 },
  refusals: { perSecond: 2_000, burst: 10_000 },
  garbage: { perSecond: 1, burst: 20 },
  maxSubscriptions: 1_000,
  maxBufferedBytes: 1024 * 1024,
  maxWaiting: 64,
  maxReplayBytes: 1024 * 1024,
  heartbeatMs: 30_000,
}

/** What the `WebSocketServer` in front of the live protocol has to be made with. */
export function socketOptionsFor({ maxFrameBytes }: LiveLimits): ServerOptions {
  return { noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false, clientTracking: false }
}

/** Why the desk ends a connection. */
export const closeCodes = {
  goingAway: 1001,
  /** No version in common. */
  unsupported: 1002,
  /** Garbage, or far too much of everything. */
  abusive: 1008,
  /** Nobody vouches any more for who is on it. */
  signedOut: 1008,
  tooLong: 1009,
  failed: 1011,
  /** One person has too many connections. */
  tooMany: 1013,
  /** Come back with `reconnect`. */
  tooSlow: 4008,
} as const

import type { Dialect } from '../asks/gate.js'
import { isLaterOnly } from './channel.js'
import type { Client, Connection } from './connection.js'
import { errorCodes, isObject, type Params, RpcError } from './json-rpc.js'
import type { LiveDesk } from './live-desk.js'
import { type Cursor, joined, type Recovery, recover } from './recovery.js'
import { type Snapshot, snapshotOf } from './snapshot.js'
import { listen, subscribe } from './subscribe.js'
import { negotiate, supportedVersions } from './versions.js'

/** Answers a request with JSON, at once: before anything that happens later is told. */
export type Reply = (result: string) => void

const longestId = 200

/** A new client says which versions it speaks, and what it wants to listen to. */
export function initialize(desk: LiveDesk, connection: Connection, params: Params, reply: Reply): void {
  const { protocolVersions, clientId, initialSubscriptions = [] } = params
  if (connection.client !== undefined) throw new RpcError(errorCodes.invalidRequest, 'This connection is initialized.')
  if (!Array.isArray(protocolVersions)) throw invalid('protocolVersions is a list of versions.')
  if (!isTexts(initialSubscriptions)) throw invalid('initialSubscriptions is a list of channels.')
  const version = negotiate(protocolVersions)
  if (version === undefined) {
    const message = `None of these versions is spoken here. Offer one of: ${supportedVersions.join(', ')}.`
    throw new RpcError(errorCodes.unsupportedVersion, message, { supportedVersions })
  }
  checkCount(desk, initialSubscriptions)
  const client = claim(desk, connection, clientId, version.dialect)
  const wanted = [...new Set(initialSubscriptions)]
  const snapshots = wanted.flatMap(channel => subscribe(desk, connection, client, channel) ?? [])
  connection.heard(desk.feed.seq)
  const serverInfo = serverInfoFor(desk, connection)
  reply(JSON.stringify({ protocolVersion: version.text, serverSeq: desk.feed.seq, serverInfo, snapshots }))
}

/** Who the desk is, who the client's person is to it, and whether there is something to try. */
function serverInfoFor({ tryIt }: LiveDesk, { visitor }: Connection): object {
  const about = { 'beckon/principal': visitor.principal, ...(tryIt && { 'beckon/tryIt': true }) }
  return { name: 'beckon', title: 'Beckon desk', _meta: about }
}

/**
 * A client whose connection was lost gets what it missed. Two forms: one number for all channels, or a number for each,
 * which is the later one; the answer has the form of the question.
 */
export async function reconnect(desk: LiveDesk, connection: Connection, params: Params, reply: Reply): Promise<void> {
  const { clientId, lastSeenServerSeq, subscriptions } = params
  if (!Array.isArray(subscriptions)) throw invalid('subscriptions is a list of channels.')
  const cursors = cursorsOf(subscriptions, lastSeenServerSeq)
  checkCount(desk, cursors)
  const known = connection.client
  if (known !== undefined && known.id !== clientId) throw invalid('This connection was initialized by another client.')
  const client = known ?? claim(desk, connection, clientId, await dialectOf(desk, connection, clientId, cursors))
  const { order, feed } = desk
  const recording = feed.record()
  try {
    // While the store is away, what is known comes as snapshots.
    const read = await order.readAfter(Math.min(...cursors.map(({ seq }) => seq))).catch(() => undefined)
    // From here on nothing waits: what is told next comes after the answer.
    const lines = read && joined(read, recording.lines, feed.seq)
    const recovery = recover(desk, { visitor: connection.visitor, dialect: client.dialect, cursors }, lines)
    const gone = new Set(recovery.missing)
    const here = cursors.map(({ channel }) => channel).filter(channel => !gone.has(channel))
    for (const channel of here) listen(desk, connection, client, channel)
    connection.heard(recovery.stale.length > 0 ? feed.seq : lastTold(cursors, recovery))
    const snapshot = (channel: string): Snapshot | undefined =>
      snapshotOf(desk, channel, client.dialect, connection.visitor)
    reply(subscriptions.some(isObject) ? byChannel(recovery, here, snapshot) : together(recovery, here, snapshot))
  } finally {
    recording.stop()
  }
}

/** The last number of a replay: where it has nothing, it is the one that the client had. */
function lastTold(cursors: readonly Cursor[], { missed }: Recovery): number {
  return Math.max(0, ...cursors.map(({ seq }) => seq), missed.at(-1)?.seq ?? 0)
}

type Snapshots = (channel: string) => Snapshot | undefined

function together({ missing, stale, missed }: Recovery, here: readonly string[], snapshot: Snapshots): string {
  if (stale.length > 0) {
    return JSON.stringify({ type: 'snapshot', snapshots: here.flatMap(channel => snapshot(channel) ?? []) })
  }
  const actions = missed.map(({ envelope }) => envelope).join(',')
  return `{"type":"replay","actions":[${actions}],"missing":${JSON.stringify(missing)}}`
}

function byChannel({ missing, stale, missed }: Recovery, here: readonly string[], snapshot: Snapshots): string {
  const actions = new Map<string, string[]>(here.map(channel => [channel, []]))
  for (const { channel, envelope } of missed) actions.get(channel)?.push(envelope)
  for (const channel of stale) actions.delete(channel)
  const replays = [...actions].map(
    ([channel, envelopes]) =>
      `{"kind":"replay","channel":${JSON.stringify(channel)},"actions":[${envelopes.join(',')}]}`,
  )
  const others = [
    ...stale.map(channel => ({ kind: 'snapshot', channel, snapshot: snapshot(channel) })),
    ...missing.map(channel => ({ kind: 'missing', channel })),
  ]
  return `{"channels":[${[...replays, ...others.map(other => JSON.stringify(other))].join(',')}]}`
}

function cursorsOf(subscriptions: readonly unknown[], lastSeen: unknown): Cursor[] {
  const cursors = subscriptions.map(entry =>
    isObject(entry) ? { channel: entry.channel, seq: entry.lastSeenServerSeq } : { channel: entry, seq: lastSeen },
  )
  const seen = new Set<unknown>()
  return cursors.flatMap(({ channel, seq }) => {
    if (typeof channel !== 'string') throw invalid('subscriptions is a list of channels.')
    if (!Number.isSafeInteger(seq) || Number(seq) < 0)
      throw invalid('lastSeenServerSeq is a number that the desk gave.')
    if (seen.has(channel)) return []
    seen.add(channel)
    return [{ channel, seq: Number(seq) }]
  })
}

/** `reconnect` does not say its version. A desk that does not know the client can only tell by its channels. */
async function dialectOf(
  desk: LiveDesk,
  { visitor }: Connection,
  id: unknown,
  cursors: readonly Cursor[],
): Promise<Dialect> {
  const known = isId(id) ? await desk.clients.dialectOf(id, visitor.principal) : undefined
  if (known !== undefined) return known
  if (cursors.some(({ channel }) => isLaterOnly(channel))) return 'later'
  throw new RpcError(errorCodes.notFound, 'This client is not known here. Send initialize.')
}

function claim(desk: LiveDesk, connection: Connection, id: unknown, dialect: Dialect): Client {
  if (!isId(id)) {
    throw invalid(`clientId is a text of at most ${longestId} characters.`)
  }
  const { principal } = connection.visitor
  if (!desk.clients.claim(id, { principal, dialect })) {
    throw new RpcError(errorCodes.denied, 'Someone else is connected with this clientId. Choose another.')
  }
  connection.client = { id, dialect }
  return connection.client
}

function checkCount({ limits }: LiveDesk, channels: readonly unknown[]): void {
  if (channels.length > limits.maxSubscriptions) {
    throw new RpcError(errorCodes.denied, `A connection can listen to ${limits.maxSubscriptions} channels.`)
  }
}

function invalid(message: string): RpcError {
  return new RpcError(errorCodes.invalidParams, message)
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestId
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}

import { isRecord, type Params, RpcError } from '@beckon/core/json-rpc'
import {
  type AboutDesk,
  type Dialect,
  dialectTraits,
  liveErrorCodes as errorCodes,
  type Initialized,
} from '@beckon/core/live'
import type { Recalled } from './clients.js'
import type { Client, Connection } from './connection.js'
import { invalidParams } from './invalid-params.js'
import type { LiveDesk } from './live-desk.js'
import { byChannel, isReplay, lastTold, type Recovery, together } from './recovery.js'
import { type Prepared, prepare } from './subscribe.js'
import { negotiate, supportedVersions } from './versions.js'

/** Answers a request at once: before anything that happens later is told. What is a string is JSON already. */
export type Reply<R> = (result: R) => void

const maxIdChars = 200

/** Up to which number a client has what happened on a channel. */
interface Cursor {
  readonly channel: string
  readonly seq: number
}

/** A new client says which versions it speaks, and what it wants to listen to. */
export async function initialize(
  desk: LiveDesk,
  connection: Connection,
  params: Params,
  reply: Reply<Initialized>,
): Promise<void> {
  const { protocolVersions, clientId, initialSubscriptions = [], locale } = params
  if (connection.client !== undefined) throw new RpcError(errorCodes.invalidRequest, 'This connection is initialized.')
  if (!Array.isArray(protocolVersions)) throw invalidParams('protocolVersions is a list of versions.')
  if (!isTexts(initialSubscriptions)) throw invalidParams('initialSubscriptions is a list of channels.')
  const version = negotiate(protocolVersions)
  if (version === undefined) {
    const message = `None of these versions is spoken here. Offer one of: ${supportedVersions.join(', ')}.`
    throw new RpcError(errorCodes.unsupportedVersion, message, { supportedVersions })
  }
  checkCount(desk, initialSubscriptions)
  const { prepared } = await claimed(desk, connection, clientId, {
    dialect: version.dialect,
    wasHere: await wasHere(desk, connection, clientId),
    channels: [...new Set(initialSubscriptions)],
    ...(isId(locale) && { locale }),
  })
  // From here on nothing waits: what is told next comes after the answer.
  const here = prepared.flatMap(({ channel }) => channel ?? [])
  const snapshots = here.map(channel => channel.snapshot())
  const { last: serverSeq } = desk.numbers
  for (const channel of here) channel.join(serverSeq)
  connection.heard(serverSeq)
  reply({ protocolVersion: version.text, serverSeq, serverInfo, _meta: aboutDesk(desk, connection), snapshots })
}

const serverInfo: Initialized['serverInfo'] = { name: 'beckon', title: 'Beckon desk' }

/** Who the client's person is to the desk, and whether there is something to try. */
function aboutDesk({ tryIt }: LiveDesk, { viewer }: Connection): AboutDesk {
  return { 'beckon/principal': viewer.principal, ...(tryIt && { 'beckon/tryIt': true }) }
}

/**
 * A client whose connection was lost gets what it missed, where this node told it so far; else snapshots. It gives one number
 * for all channels or, where its dialect has that, a number for each; the answer has the form of the question.
 */
export async function reconnect(
  desk: LiveDesk,
  connection: Connection,
  params: Params,
  reply: Reply<string>,
): Promise<void> {
  const { clientId, lastSeenServerSeq, subscriptions } = params
  if (!Array.isArray(subscriptions)) throw invalidParams('subscriptions is a list of channels.')
  const cursors = cursorsOf(subscriptions, lastSeenServerSeq)
  checkCount(desk, cursors)
  const { clients, feed, numbers } = desk
  const { viewer } = connection
  const known = connection.client
  if (known !== undefined && known.id !== clientId)
    throw invalidParams('This connection was initialized by another client.')
  const lastSeen = Math.max(0, ...cursors.map(({ seq }) => seq))
  if (!numbers.raise(lastSeen)) throw invalidParams('lastSeenServerSeq is a number that the desk gave.')
  const recalled = await recall(desk, connection, clientId)
  const spoken = known ?? knownFrom(recalled)
  const isByChannel = subscriptions.some(isRecord)
  if (isByChannel && !dialectTraits[spoken.dialect].hasCursors)
    throw invalidParams(
      'In this version subscriptions is a list of names, and lastSeenServerSeq one number for all of them.',
    )
  const { client, prepared } = await claimed(desk, connection, clientId, {
    ...spoken,
    wasHere: recalled?.wasHere === true,
    channels: cursors.map(({ channel }) => channel),
  })
  // From here on nothing waits: what is told next comes after the answer. A snapshot's number is above whatever the client
  // has seen, so that one that never arrives is not taken for one that did.
  const key = clients.keyOf(client.id, viewer)
  const anew = numbers.next()
  const recovery: Recovery = { missing: [], stale: [], replays: [] }
  let chars = 0
  for (const [index, { name, channel }] of prepared.entries()) {
    if (channel === undefined) {
      recovery.missing.push(name)
      continue
    }
    const seq = cursors[index]?.seq ?? 0
    const from = feed.subscribers.leftWith(key, name, client.dialect, viewer)
    const missed = from !== undefined && seq >= from ? feed.missed(name, client.dialect, seq, viewer) : undefined
    chars += missed?.reduce((sum, { envelope }) => sum + envelope.length, 0) ?? 0
    if (from === undefined || missed === undefined || chars > desk.limits.maxReplayBytes) recovery.stale.push(channel)
    else recovery.replays.push({ channel, from, missed })
  }
  const text = isByChannel ? byChannel(recovery) : together(recovery)
  const areReplayed = isByChannel || isReplay(recovery)
  for (const channel of recovery.stale) channel.join(anew)
  for (const { channel, from } of recovery.replays) channel.join(areReplayed ? from : anew)
  feed.subscribers.back(key)
  connection.heard(isReplay(recovery) ? lastTold(lastSeen, recovery) : numbers.last)
  reply(text)
}

interface NamedChannel {
  readonly name: string
  readonly channel: Prepared | undefined
}

/** Gets channels ready, all or none. */
async function prepareAll(
  desk: LiveDesk,
  connection: Connection,
  client: Client,
  names: readonly string[],
): Promise<NamedChannel[]> {
  const settled = await Promise.allSettled(names.map(name => prepare(desk, connection, client, name)))
  const failed = settled.find(result => result.status === 'rejected')
  if (failed !== undefined) {
    for (const result of settled) if (result.status === 'fulfilled') result.value?.cancel()
    throw failed.reason
  }
  return settled.map((result, index) => ({
    name: names[index] ?? '',
    channel: result.status === 'fulfilled' ? result.value : undefined,
  }))
}

function cursorsOf(subscriptions: readonly unknown[], lastSeen: unknown): Cursor[] {
  const cursors = subscriptions.map(entry =>
    isRecord(entry) ? { channel: entry.channel, seq: entry.lastSeenServerSeq } : { channel: entry, seq: lastSeen },
  )
  const seen = new Set<unknown>()
  return cursors.flatMap(({ channel, seq }) => {
    if (typeof channel !== 'string') throw invalidParams('subscriptions is a list of channels.')
    if (!Number.isSafeInteger(seq) || Number(seq) < 0)
      throw invalidParams('lastSeenServerSeq is a number that the desk gave.')
    if (seen.has(channel)) return []
    seen.add(channel)
    return [{ channel, seq: Number(seq) }]
  })
}

/** What is known of a client that says it was here before. */
async function recall(desk: LiveDesk, { viewer }: Connection, id: unknown): Promise<Recalled | undefined> {
  return isId(id) ? desk.clients.recall(id, viewer.principal) : undefined
}

/** Whether a client was here last. It matters when it left something here that it may come back to. */
async function wasHere(desk: LiveDesk, connection: Connection, id: unknown): Promise<boolean> {
  const { clients, feed } = desk
  if (!isId(id) || !feed.subscribers.isAwaited(clients.keyOf(id, connection.viewer))) return false
  return (await clients.recall(id, connection.viewer.principal))?.wasHere === true
}

/** `reconnect` does not say its version: a client that is not known says it anew. */
function knownFrom(recalled: Recalled | undefined): Omit<Client, 'id'> {
  if (recalled === undefined) throw new RpcError(errorCodes.notFound, 'This client is not known here. Send initialize.')
  const { dialect, locale } = recalled
  return { dialect, ...(locale !== undefined && { locale }) }
}

interface Wanted {
  readonly dialect: Dialect
  readonly locale?: string
  readonly wasHere: boolean
  readonly channels: readonly string[]
}

/** A client takes its id, and its channels are made ready. When that fails it has neither, and may try again. */
async function claimed(
  desk: LiveDesk,
  connection: Connection,
  id: unknown,
  { dialect, locale, wasHere, channels }: Wanted,
): Promise<{ readonly client: Client; readonly prepared: readonly NamedChannel[] }> {
  const known = connection.client
  const client = known ?? claim(desk, connection, id, { dialect, ...(locale !== undefined && { locale }) })
  const { clients, feed } = desk
  const { viewer } = connection
  // Elsewhere it was told something else since: what it left here is of no use to it.
  if (!wasHere) feed.subscribers.back(clients.keyOf(client.id, viewer))
  try {
    const kept = wasHere ? undefined : clients.keep(client.id, { principal: viewer.principal, dialect, locale })
    const prepared = await prepareAll(desk, connection, client, channels)
    await kept
    return { client, prepared }
  } catch (error) {
    if (known === undefined && !connection.isOver) {
      connection.client = undefined
      clients.release(client.id)
    }
    throw error
  }
}

function claim(desk: LiveDesk, connection: Connection, id: unknown, how: Omit<Client, 'id'>): Client {
  if (!isId(id)) {
    throw invalidParams(`clientId must be a string of at most ${maxIdChars} characters.`)
  }
  const { principal } = connection.viewer
  // One that ended meanwhile gives nothing back any more.
  if (connection.isOver) throw new RpcError(errorCodes.invalidRequest, 'This connection is over.')
  if (!desk.clients.claim(id, { principal, ...how })) {
    throw new RpcError(errorCodes.denied, 'Someone else is connected with this clientId. Choose another.')
  }
  connection.client = { id, ...how }
  return connection.client
}

function checkCount({ limits }: LiveDesk, channels: readonly unknown[]): void {
  if (channels.length > limits.maxSubscriptions) {
    throw new RpcError(errorCodes.denied, `A connection can listen to ${limits.maxSubscriptions} channels.`)
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxIdChars
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}

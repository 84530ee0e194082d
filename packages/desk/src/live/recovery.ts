// What a client that comes back has missed. The log is read while others go on writing it, so what was told meanwhile is
// put together with what was read; what is in the log and was not told yet will be told to everyone.
import type { Dialect, Visitor } from '../asks/gate.js'
import { sightsIn } from '../asks/visibility.js'
import type { Accepted } from '../log/act.js'
import { parseChannel, rootChannel } from './channel.js'
import { encodeEnvelope } from './envelope.js'
import { countAction } from './feed.js'
import type { LiveDesk } from './live-desk.js'
import { isChannel } from './snapshot.js'
import { addressedTo } from './tellings.js'

/** Up to which line a client has what happened on a channel. */
export interface Cursor {
  readonly channel: string
  readonly seq: number
}

/** An action of a channel, as JSON. */
interface Missed {
  readonly channel: string
  readonly seq: number
  readonly envelope: string
}

/** Who comes back, and how far they had come. */
export interface Reader {
  readonly visitor: Visitor
  readonly dialect: Dialect
  readonly cursors: readonly Cursor[]
}

export interface Recovery {
  /** Channels that are gone. */
  readonly missing: readonly string[]
  /** Channels that only a snapshot can bring up to date. */
  readonly stale: readonly string[]
  /** What happened on the others, in its order. */
  readonly missed: readonly Missed[]
}

/** What a client has missed, given every line after its first cursor; without them, all of it is too far back. */
export function recover(desk: LiveDesk, reader: Reader, lines: readonly Accepted[] | undefined): Recovery {
  const { visitor, dialect, cursors } = reader
  const here = cursors.filter(({ channel }) => isChannel(desk, channel, dialect))
  const missing = cursors.filter(({ channel }) => !isChannel(desk, channel, dialect)).map(({ channel }) => channel)
  const everything = { missing, stale: here.map(({ channel }) => channel), missed: [] }
  if (lines === undefined) return everything

  const renewed = renewals(lines)
  const isStale = ({ channel, seq }: Cursor): boolean => {
    const parsed = parseChannel(channel, dialect)
    if (parsed === undefined || parsed.kind === 'root') return false
    // Who might have seen the asks of a session that is gone is not known any more.
    if (parsed.kind === 'asks') return lines.some(line => line.seq > seq && line.act.type === 'sessionDisposed')
    return 'session' in parsed && seq < (renewed.get(parsed.session) ?? 0)
  }
  const from = new Map(here.filter(cursor => !isStale(cursor)).map(({ channel, seq }) => [channel, seq]))

  const missed: Missed[] = []
  let bytes = 0
  const lastCounted = lines.findLast(isCounted)
  const sightOf = sightsIn(lines)
  for (const line of lines) {
    const { seq: serverSeq, origin } = line
    const record = desk.order.state.session(line.session)
    const sight = sightOf(line, record)(visitor)
    const actions = line === lastCounted ? [counted(desk)] : addressedTo(line, record, dialect)
    for (const { to, channel, action } of actions) {
      if (serverSeq <= (from.get(channel) ?? Number.POSITIVE_INFINITY) || to !== sight) continue
      const envelope = encodeEnvelope({ channel, action, serverSeq, origin })
      bytes += envelope.length
      if (bytes > desk.limits.maxReplayBytes) return everything
      missed.push({ channel, seq: serverSeq, envelope })
    }
  }
  return { missing, stale: here.filter(isStale).map(({ channel }) => channel), missed }
}

/** What was read of the log and told by now, and what was told since it was read. */
export function joined(read: readonly Accepted[], told: readonly Accepted[], seq: number): Accepted[] {
  const lastRead = read.at(-1)?.seq ?? 0
  return [...read.filter(line => line.seq <= seq), ...told.filter(line => line.seq > lastRead)]
}

/** When each session was last made anew: what went before is not about the session that is there now. */
function renewals(lines: readonly Accepted[]): Map<string, number> {
  return new Map(lines.filter(isCounted).map(({ session, seq }) => [session, seq]))
}

function isCounted({ act }: Accepted): boolean {
  return act.type === 'sessionCreated' || act.type === 'sessionDisposed'
}

function counted({ feed }: LiveDesk): ReturnType<typeof addressedTo>[number] {
  return { to: 'seen', channel: rootChannel, action: countAction(feed.sessions) }
}

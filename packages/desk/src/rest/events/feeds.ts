// Who watches, and what they are told. Each event is written once, however many watch. What was told lately is kept in memory
// for those who come back to this node; on another one they are told to look for themselves.
import { randomBytes } from 'node:crypto'
import type { Clock } from 'beckon'
import type { FoundAsk } from '../../asks/found-ask.js'
import { type Happening, happeningsIn, happeningsOf } from '../../asks/happening.js'
import type { MembersOf } from '../../policy/approval.js'
import type { Audiences } from '../../sessions/audiences.js'
import type { Sessions } from '../../sessions/sessions.js'
import type { Views } from '../asks/views.js'
import type { RestViewer } from '../exchange.js'
import { EventStream } from './event-stream.js'
import { aliveFrame, eventFrame, frameOf } from './frame.js'

interface FeedLimits {
  /** How much may wait for one client, and half of it is told again to one that comes back. */
  readonly maxBufferedChars: number
  readonly maxFeedsPerPerson: number
  readonly keepAliveMs: number
}

export interface FeedsOptions {
  readonly sessions: Sessions
  readonly audiences: Audiences
  readonly views: Views
  readonly membersOf: MembersOf
  readonly clock: Clock
  readonly limits: FeedLimits
}

interface Feed {
  readonly viewer: RestViewer
  readonly session: string | undefined
  readonly stream: EventStream
}

interface Told {
  readonly number: number
  readonly happening: Happening
  readonly frame: string
}

const retryMs = 3_000
/** How many events are kept for those who come back, and for how long after the last one has gone. */
const maxKept = 2_000
const keptMs = 60_000
/** What ended or began longer ago was told of, or nobody here knew it. */
const lateMs = 60_000

export class Feeds {
  readonly #options: FeedsOptions
  /** This start of this node: what another has told is not known here. */
  readonly #node = randomBytes(6).toString('base64url')
  readonly #feeds = new Set<Feed>()
  readonly #stops: readonly (() => void)[]
  #kept: Told[] = []
  /** The number of the last event that is not kept any more. */
  #forgotten = 0
  #number = 0
  #stopKeepAlive: () => void = () => {}
  #stopForgetting: () => void = () => {}
  #isKeeping = false

  constructor(options: FeedsOptions) {
    const { sessions, audiences, clock } = options
    this.#options = options
    this.#stops = [
      sessions.listen(told => {
        if (this.#isKeeping) this.#hear(happeningsOf(told))
      }),
      audiences.onAnnounced(session => this.#hear(happeningsIn(session, clock.now() - lateMs))),
      // Nobody can say what was missed: a client that comes back is told to look for itself.
      sessions.onReset(() => this.#reset()),
    ]
    this.#keepAlive()
  }

  /** Begins to tell someone; undefined when they watch too often already. */
  open(
    viewer: RestViewer,
    { session, lastEventId }: { session: string | undefined; lastEventId: string | undefined },
  ): EventStream | undefined {
    const { audiences, clock, limits } = this.#options
    const others = [...this.#feeds].filter(feed => feed.viewer.principal === viewer.principal)
    if (others.length >= limits.maxFeedsPerPerson) return undefined
    const stopFollowing = audiences.follow(viewer)
    let forgetExpiry = () => {}
    const stream = new EventStream(limits.maxBufferedChars, () => {
      this.#feeds.delete(feed)
      stopFollowing()
      forgetExpiry()
      if (this.#feeds.size === 0) this.#forgetLater()
    })
    const feed: Feed = { viewer, session, stream }
    this.#keep()
    this.#feeds.add(feed)
    if (viewer.expiresAt !== undefined)
      forgetExpiry = clock.after(Math.max(0, viewer.expiresAt - clock.now()), () => stream.end())
    stream.push(`retry: ${retryMs}\n\n`)
    if (lastEventId !== undefined) this.#resume(feed, lastEventId)
    stream.push(aliveFrame(this.#id(this.#number)))
    return stream
  }

  close(): void {
    for (const stop of this.#stops) stop()
    this.#stopKeepAlive()
    this.#stopForgetting()
    this.#endAll()
  }

  #endAll(): void {
    for (const { stream } of [...this.#feeds]) stream.end()
  }

  #reset(): void {
    this.#forget()
    this.#endAll()
  }

  #hear(happenings: readonly Happening[]): void {
    if (!this.#isKeeping) return
    for (const happening of happenings) {
      const number = ++this.#number
      const told = { number, happening, frame: frameOf(happening, this.#id(number), this.#options.membersOf) }
      this.#kept.push(told)
      const feeds = [...this.#feeds].filter(feed => this.#tell(feed, told))
      if (happening.event === 'asked') this.#viewed(feeds, [happening])
    }
    if (this.#kept.length > maxKept) {
      const gone = this.#kept.splice(0, this.#kept.length - maxKept)
      this.#forgotten = gone.at(-1)?.number ?? this.#forgotten
    }
  }

  /** Whether it was for them. */
  #tell({ viewer, session, stream }: Feed, { happening, frame }: Told): boolean {
    if ((session ?? happening.session.id) !== happening.session.id || !happening.isFor(viewer)) return false
    stream.push(frame)
    return true
  }

  /** Tells a client again what it missed, or that it has to look for itself. */
  #resume(feed: Feed, lastEventId: string): void {
    const missed = this.#missed(feed, lastEventId)
    if (missed === undefined) {
      const reason = 'Too much has happened since. List the open asks again.'
      feed.stream.push(eventFrame('reset', { reason }, this.#id(this.#number)))
      return
    }
    for (const { frame } of missed) feed.stream.push(frame)
    this.#viewed(
      [feed],
      missed.filter(({ happening }) => happening.event === 'asked').map(told => told.happening),
    )
  }

  /** What someone missed; undefined when that is too much, or cannot be said any more. */
  #missed({ viewer, session }: Feed, lastEventId: string): Told[] | undefined {
    const [, node, digits] = /^([\w-]{8})\.(\d{1,15})$/.exec(lastEventId) ?? []
    const from = Number(digits)
    if (node !== this.#node || from < this.#forgotten || from > this.#number) return undefined
    const missed = this.#kept.filter(
      ({ number, happening }) =>
        number > from && (session ?? happening.session.id) === happening.session.id && happening.isFor(viewer),
    )
    const chars = missed.reduce((sum, { frame }) => sum + frame.length, 0)
    return chars > this.#options.limits.maxBufferedChars / 2 ? undefined : missed
  }

  /** A client that watches a session sees its asks; one that is told of everything may not have looked at any. */
  #viewed(feeds: readonly Feed[], asks: readonly FoundAsk[]): void {
    const viewers = feeds.filter(({ session }) => session !== undefined).map(({ viewer }) => viewer)
    // The feed does not wait for the audit.
    if (viewers.length > 0 && asks.length > 0) this.#options.views.record(viewers, asks).catch(() => {})
  }

  /** Somebody watches, or may come back: what happens is kept. */
  #keep(): void {
    this.#stopForgetting()
    this.#isKeeping = true
  }

  #forgetLater(): void {
    this.#stopForgetting()
    this.#stopForgetting = this.#options.clock.after(keptMs, () => {
      this.#isKeeping = false
      this.#forget()
    })
  }

  #forget(): void {
    this.#kept = []
    // One more than was told: a client that had all of that has missed something, too.
    this.#forgotten = ++this.#number
  }

  #keepAlive(): void {
    const { clock, limits } = this.#options
    this.#stopKeepAlive = clock.after(limits.keepAliveMs, () => {
      const frame = aliveFrame(this.#id(this.#number))
      for (const { stream } of [...this.#feeds]) stream.push(frame)
      this.#keepAlive()
    })
  }

  #id(number: number): string {
    return `${this.#node}.${number}`
  }
}

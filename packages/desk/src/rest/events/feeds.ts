// Who watches, and what they are told. Each event is written once, however many watch.
import type { Clock } from 'beckon'
import type { Visitor } from '../../asks/gate.js'
import { mayAnswer } from '../../asks/policy.js'
import { formerPolicies } from '../../asks/visibility.js'
import type { Accepted } from '../../log/act.js'
import type { Order } from '../../log/order.js'
import type { AskIndex } from '../asks/ask-index.js'
import type { Happening } from '../asks/happening.js'
import type { KnownAsk } from '../asks/known-ask.js'
import type { Views } from '../asks/views.js'
import type { RestVisitor } from '../exchange.js'
import { EventStream } from './event-stream.js'
import { aliveFrame, eventFrame, frameOf } from './frame.js'

interface FeedLimits {
  /** How much may wait for one client, and how much is told again to one that comes back. */
  readonly maxBufferedChars: number
  readonly maxFeedsPerPerson: number
  readonly keepAliveMs: number
}

export interface FeedsOptions {
  readonly order: Order
  readonly asks: AskIndex
  readonly views: Views
  readonly clock: Clock
  readonly limits: FeedLimits
}

interface Feed {
  readonly visitor: RestVisitor
  readonly session: string | undefined
  readonly stream: EventStream
  /** What happens while the log is read for a client that comes back. */
  held: Happening[] | undefined
}

const retryMs = 3_000
const maxHeld = 10_000

export class Feeds {
  readonly #options: FeedsOptions
  readonly #feeds = new Set<Feed>()
  readonly #stops: readonly (() => void)[]
  #stopKeepAlive: () => void = () => {}

  constructor(options: FeedsOptions) {
    this.#options = options
    this.#stops = [
      options.asks.listen(happenings => this.#hear(happenings)),
      // Nobody can say what was missed: whoever comes back is told to look for themselves.
      options.order.onAnew(() => this.#endAll()),
    ]
    this.#keepAlive()
  }

  /** Begins to tell someone; undefined when they watch too often already. */
  async open(
    visitor: RestVisitor,
    { session, lastEventId }: { session: string | undefined; lastEventId: string | undefined },
  ): Promise<EventStream | undefined> {
    const { asks, clock, limits } = this.#options
    const others = [...this.#feeds].filter(feed => feed.visitor.principal === visitor.principal)
    if (others.length >= limits.maxFeedsPerPerson) return undefined
    let forgetExpiry = () => {}
    const stream = new EventStream(limits.maxBufferedChars, () => {
      this.#feeds.delete(feed)
      forgetExpiry()
    })
    const feed: Feed = { visitor, session, stream, held: lastEventId === undefined ? undefined : [] }
    this.#feeds.add(feed)
    if (visitor.expiresAt !== undefined) {
      forgetExpiry = clock.after(Math.max(0, visitor.expiresAt - clock.now()), () => stream.end())
    }
    stream.push(`retry: ${retryMs}\n\n`)
    if (lastEventId === undefined) stream.push(aliveFrame(asks.seq))
    else {
      try {
        await this.#resume(feed, lastEventId)
      } catch (error) {
        stream.end()
        throw error
      }
    }
    return stream
  }

  close(): void {
    for (const stop of this.#stops) stop()
    this.#stopKeepAlive()
    this.#endAll()
  }

  #endAll(): void {
    for (const { stream } of [...this.#feeds]) stream.end()
  }

  #hear(happenings: readonly Happening[]): void {
    for (const [index, happening] of happenings.entries()) {
      const { known, seq } = happening
      const isLast = happenings[index + 1]?.seq !== seq
      const viewers: Visitor[] = []
      const frames = new Map<string, string>()
      for (const feed of [...this.#feeds]) {
        if (feed.held !== undefined) {
          if (feed.held.push(happening) > maxHeld) feed.stream.end()
          continue
        }
        const told = toldTo(feed, happening)
        if (told === undefined) continue
        const frame = frames.get(told.event) ?? frameOf(told, isLast)
        frames.set(told.event, frame)
        feed.stream.push(frame)
        if (told.event === 'asked') viewers.push(feed.visitor)
      }
      if (known !== undefined) this.#viewed(viewers, [known])
    }
  }

  /** Tells a client again what it missed, or that it has to look for itself. */
  async #resume(feed: Feed, lastEventId: string): Promise<void> {
    const { order, asks } = this.#options
    const { stream } = feed
    const from = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined
    const lines = from === undefined ? undefined : await order.readAfter(from)
    const missed = lines && this.#missed(feed, lines)
    const upTo = missed === undefined ? asks.seq : (lines?.at(-1)?.seq ?? from ?? 0)
    if (missed === undefined) {
      stream.push(eventFrame('reset', { reason: 'Too much has happened since. List the open asks again.' }, upTo))
    } else {
      for (const frame of missed) stream.push(frame)
      stream.push(aliveFrame(upTo))
    }
    const held = feed.held ?? []
    feed.held = undefined
    this.#replayHeld(
      feed,
      held.filter(({ seq }) => seq > upTo),
    )
  }

  #replayHeld(feed: Feed, held: readonly Happening[]): void {
    for (const happening of held) {
      const told = toldTo(feed, happening)
      if (told !== undefined) feed.stream.push(frameOf(told, false))
    }
    const last = held.at(-1)
    if (last !== undefined) feed.stream.push(aliveFrame(last.seq))
  }

  /** What lines come to for someone; undefined when that is too much, or cannot be said any more. */
  #missed(feed: Feed, lines: readonly Accepted[]): string[] | undefined {
    const { asks, limits } = this.#options
    const frames: string[] = []
    const seen: KnownAsk[] = []
    let chars = 0
    const policyThen = formerPolicies(lines)
    for (const line of lines) {
      const happenings = asks.happeningsOf(line).map(happening => {
        const policy = policyThen(line.session, happening.ask, line.seq)
        return policy === undefined ? happening : { ...happening, policy }
      })
      if (line.act.type === 'sessionDisposed' && happenings.length === 0 && !asks.remembers(line.session))
        return undefined
      for (const [index, happening] of happenings.entries()) {
        if (happening.known === undefined) return undefined
        const told = toldTo(feed, happening)
        if (told === undefined) continue
        const frame = frameOf(told, index === happenings.length - 1)
        frames.push(frame)
        chars += frame.length
        if (told.event === 'asked') seen.push(happening.known)
        if (chars > limits.maxBufferedChars / 2) return undefined
      }
    }
    this.#viewed([feed.visitor], seen)
    return frames
  }

  #viewed(visitors: readonly Visitor[], asks: readonly KnownAsk[]): void {
    // The feed does not wait for the audit.
    if (visitors.length > 0) this.#options.views.record(visitors, asks).catch(() => {})
  }

  #keepAlive(): void {
    const { clock, asks, limits } = this.#options
    this.#stopKeepAlive = clock.after(limits.keepAliveMs, () => {
      const frame = aliveFrame(asks.seq)
      for (const feed of [...this.#feeds]) if (feed.held === undefined) feed.stream.push(frame)
      this.#keepAlive()
    })
  }
}

/** What happened, as it is to whoever watches: when others are asked instead of them, the ask was withdrawn. */
function toldTo({ visitor, session }: Feed, happening: Happening): Happening | undefined {
  const { policy, before } = happening
  if (policy === undefined || (session ?? happening.session) !== happening.session) return undefined
  const isFor = mayAnswer(policy, visitor)
  if (before === undefined) return isFor ? happening : undefined
  if (isFor === mayAnswer(before, visitor)) return undefined
  return isFor ? happening : { ...happening, event: 'withdrawn', ended: { event: 'withdrawn' } }
}

// Tells people of asks that wait for them: who, by the session; how and when, by what each has set; once, by one node at a time;
// and takes it back once an ask needs nobody any more.
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import type { AskIndex } from '../index/ask-index.js'
import type { Directory, GroupsOf } from '../people/directory.js'
import type { Person, Role } from '../policy/audience.js'
import type { Route } from '../rest/router.js'
import type { Sessions } from '../sessions/sessions.js'
import type { NotifyChannel, NotifyChannelOrFactory } from './channel.js'
import { Deliveries } from './deliveries.js'
import { Dispatcher } from './dispatcher.js'
import { KnownPeople } from './known-people.js'
import { Lane } from './lane.js'
import { outboxNames } from './outbox.js'
import { Recipients } from './recipients.js'
import { notifyRoutes } from './routes.js'

export interface NotifyOptions {
  /** `push()` of `@beckon/desk/notify/push`, `email()` of `@beckon/desk/notify/email`, and your own. */
  readonly channels: readonly NotifyChannelOrFactory[]
  /** Whether a notice says what the tool was called with. Default: it does not. */
  readonly showArguments?: boolean | undefined
  /** From 0 to 1, so that many desks do not come back at once. */
  readonly random?: (() => number) | undefined
}

/** What a desk gives to what it is given. */
export interface NotifyDeps {
  readonly store: Store
  readonly clock: Clock
  readonly sessions: Sessions
  readonly index: AskIndex
  readonly directory: Directory | undefined
  readonly groupsOf: GroupsOf | undefined
  readonly roleOf: ((person: Person) => Role | undefined) | undefined
  readonly address: () => string
  readonly linkTo: (session: string, ask: string) => string
  readonly onProblem: (problem: string) => void
}

export interface OpenNotify {
  readonly routes: readonly Route[]
  /** Begins to tell. */
  start(): void
  /** Someone was let in. */
  seen(person: Person): Promise<void>
  /** What is kept of someone; undefined when nothing is. */
  kept(principal: string): Promise<object | undefined>
  forget(principal: string): Promise<void>
  /** Stops telling. What was not told is, by another node or by the next start. */
  close(): Promise<void>
}

/** Tells people of asks, for a desk that is given this. */
export interface Notify {
  /** For the desk itself. */
  open(deps: NotifyDeps): OpenNotify
}

const channelName = /^[a-z][a-z0-9-]{0,30}$/

/**
 * Has a desk tell people of what waits for them.
 * @example
 * createDesk({ notify: notify({ channels: [push()] }) })
 */
export function notify(options: NotifyOptions): Notify {
  return { open: deps => open(options, deps) }
}

function open(options: NotifyOptions, deps: NotifyDeps): OpenNotify {
  const { channels: given, showArguments = false, random = Math.random } = options
  const { store, clock, sessions, index, address, linkTo, onProblem } = deps
  const prefix = 'notify/'
  const channels = given.map(channel =>
    typeof channel === 'function' ? channel({ store, clock, address, prefix: `${prefix}channels/` }) : channel,
  )
  checkNames(channels)
  const people = new KnownPeople({ store, prefix, clock })
  const deliveries = new Deliveries(store, prefix)
  const recipients = () => new Recipients({ ...deps, people, now: () => clock.now() })
  const notices = { linkTo, showArguments }
  const shared = { store, clock, sessions, deliveries, recipients, onProblem }
  let stop: (() => Promise<void>) | undefined

  function start(): void {
    const lanes = new Map(
      channels.map(channel => [channel.name, new Lane({ ...shared, channel, notices, random })] as const),
    )
    const dispatcher = new Dispatcher({ ...shared, channels, onQueued: channel => lanes.get(channel)?.wake() })
    // For as long as this node writes: what it still takes while it closes, another one tells.
    index.addNames(happened => ({ puts: happened.flatMap(outboxNames) }))
    const stopListening = sessions.listen(({ event, isOwn }) => {
      // Of drafts nobody is told, and there are many.
      if (isOwn && event.type !== 'drafted') dispatcher.wake()
    })
    stop = async () => {
      stopListening()
      await dispatcher.close()
      await Promise.all([...lanes.values()].map(lane => lane.close()))
    }
  }

  return {
    routes: notifyRoutes({ channels, people, now: () => clock.now(), onProblem }),
    start,
    seen: person => people.seen(person),
    async kept(principal) {
      const known = await people.find(principal)
      if (known === undefined) return undefined
      const states = channels.map(async channel => [channel.name, await channel.state?.({ principal })] as const)
      return { ...known, channels: Object.fromEntries(await Promise.all(states)) }
    },
    async forget(principal) {
      for (const channel of channels) await channel.forget?.(principal)
      await people.forget(principal)
    },
    close: async () => stop?.(),
  }
}

function checkNames(channels: readonly NotifyChannel[]): void {
  for (const { name } of channels)
    if (!channelName.test(name)) throw new TypeError(`A channel's name has letters, digits and hyphens, not "${name}".`)
  if (new Set(channels.map(({ name }) => name)).size < channels.length)
    throw new TypeError('Two channels have the same name.')
}

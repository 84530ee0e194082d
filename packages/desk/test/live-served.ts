// A desk behind a real socket on loopback. Who someone is, they say themselves: authentication is not what is tested.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Question } from '@beckon/core'
import type { InputRequest } from '@beckon/core/chat'
import type { Dialect } from '@beckon/core/live'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { WebSocketServer } from 'ws'
import { createParts, type DeskParts } from '../src/desk-parts.js'
import { createLive, type Live } from '../src/live/create-live.js'
import type { LiveLimits } from '../src/live/limits.js'
import type { SessionEvent } from '../src/model/events.js'
import type { Policy } from '../src/model/policy.js'
import { bytesOf } from '../src/model/reduce.js'
import type { Session } from '../src/model/session.js'
import type { Role, Viewer } from '../src/policy/audience.js'
import { digestOfAsk } from '../src/turns/decisions.js'
import { type DeskSession, openSession } from '../src/turns/desk-session.js'
import { LiveClient } from './live-client.js'

interface Who {
  readonly as?: string
  readonly clientId?: string
  readonly groups?: string[]
  readonly role?: Role
}

export interface Served {
  readonly parts: DeskParts
  readonly live: Live
  readonly clock: TestClock
  readonly url: string
  /** A client that has said who it is. */
  connect(dialect: Dialect, options?: Who): Promise<LiveClient>
  /** A client that has said nothing yet. */
  dial(dialect: Dialect, options?: Who): Promise<LiveClient>
  session(id: string, options?: { title?: string; server?: string }): Promise<DeskSession>
  /** A session as the store has it now; those who follow it here have heard of everything by then. */
  read(session?: string): Promise<Session | undefined>
  /** Something that the desk does by itself. */
  happen(event: Unstamped, session?: string): Promise<void>
  ask(request: InputRequest, policy?: Partial<Policy>): Promise<void>
  /** Nobody who is connected is known any more. */
  signEveryoneOut(): void
  close(): Promise<void>
}

/** An event without its time. */
type Unstamped = SessionEvent extends infer Event ? (Event extends SessionEvent ? Omit<Event, 'at'> : never) : never

let clients = 0
let instances = 0

export async function serveLive(
  options: {
    limits?: Partial<LiveLimits>
    store?: Store
    clock?: TestClock
    tryIt?: () => void
    onError?: (error: unknown) => void
  } = {},
): Promise<Served> {
  const clock = options.clock ?? createTestClock()
  const { onError = () => {} } = options
  const parts = createParts({ clock, store: options.store, onError })
  const live = createLive({ ...parts, limits: options.limits ?? {}, tryIt: options.tryIt, onError })
  const sockets = new WebSocketServer(live.socketOptions)
  const signOuts: (() => void)[] = []
  const http = createServer()
  http.on('upgrade', (request, socket, head) => {
    const query = new URL(request.url ?? '', 'http://desk').searchParams
    const groups = query.getAll('group')
    const role = query.get('role') as Role | null
    const viewer: Viewer = { principal: query.get('as') ?? 'nobody', device: 'test', groups, ...(role && { role }) }
    sockets.handleUpgrade(request, socket, head, ws => signOuts.push(live.accept(ws, viewer)))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`
  const open = new Set<LiveClient>()

  async function happen(event: Unstamped, session = 's'): Promise<void> {
    const stamped = { ...event, at: clock.now() } as SessionEvent
    await parts.sessions.change(session, () => ({ events: [stamped] }))
  }

  const served: Served = {
    parts,
    live,
    clock,
    url,
    async dial(dialect, { as = 'alice', clientId = `client-${++clients}`, groups = [], role } = {}) {
      const query = new URLSearchParams([['as', as], ...groups.map(group => ['group', group])])
      if (role !== undefined) query.set('role', role)
      const client = new LiveClient({ url: `${url}/?${query}`, dialect, clientId, now: () => clock.now() })
      open.add(client)
      await client.dial()
      return client
    },
    async connect(dialect, given) {
      const client = await served.dial(dialect, given)
      await client.initialize()
      return client
    },
    session: (id, { title = id, server = 'desk' } = {}) =>
      openSession(parts.turns, { id, title, server, audience: 'anyone' }),
    read: (session = 's') => parts.sessions.refresh(session),
    happen,
    ask(request, policy = {}) {
      const { node } = parts.turns
      const instance = `instance-${++instances}`
      return happen({
        type: 'asked',
        request,
        policy: { expiresAt: clock.now() + 3_600_000, ...policy },
        instance,
        digest: digestOfAsk(request, {}),
        bytes: bytesOf(request),
        node,
      })
    },
    signEveryoneOut() {
      for (const signOut of signOuts.splice(0)) signOut()
    },
    async close() {
      for (const client of open) client.drop()
      await live.close()
      http.close()
      await parts.close()
    },
  }
  return served
}

/** A desk with a session, and a turn going on in it. */
export async function serveTurn(options?: Parameters<typeof serveLive>[0]): Promise<Served> {
  const served = await serveLive(options)
  await served.session('s', { title: 'Session', server: 'shop' })
  await startTurn(served)
  return served
}

export function startTurn({ happen }: Served, turn = 't1'): Promise<void> {
  return happen({ type: 'turnStarted', turn, message: { text: 'go' } })
}

/** One question of every kind. */
export const questions: Question[] = [
  { id: 'name', kind: 'text', message: 'Name?', required: true, min: 2, max: 10 },
  { id: 'mail', kind: 'text', message: 'Mail?', format: 'email' },
  { id: 'price', kind: 'number', message: 'Price?', min: 0, max: 10 },
  { id: 'count', kind: 'integer', message: 'Count?', min: 1, max: 5 },
  { id: 'sure', kind: 'boolean', message: 'Sure?' },
  {
    id: 'size',
    kind: 'single-select',
    message: 'Size?',
    options: [
      { id: 's', label: 'Small' },
      { id: 'l', label: 'Large' },
    ],
    allowFreeformInput: false,
  },
  {
    id: 'tags',
    kind: 'multi-select',
    message: 'Tags?',
    options: [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
      { id: 'c', label: 'C' },
    ],
    allowFreeformInput: false,
    max: 2,
  },
]

export const text = (value: string, state: 'draft' | 'submitted' = 'draft') =>
  ({ state, value: { kind: 'text', value } }) as const

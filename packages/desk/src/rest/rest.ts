// The desk for scripts, phones and chat bots: a small REST surface and a feed of events. Plain data in and out; who the
// viewer is, where a request may come from and how long its body may be is settled before it gets here.

import type { DeskParts } from '../desk-parts.js'
import { KeyedRate } from '../limits/keyed-rate.js'
import type { Rate } from '../limits/token-bucket.js'
import { unavailable } from '../policy/refusals.js'
import { Views } from './asks/views.js'
import type { DeskView } from './desk-view.js'
import { Feeds } from './events/feeds.js'
import type { RestRequest, RestResponse, RestViewer } from './exchange.js'
import { later, problem } from './problem.js'
import { type Route, route } from './router.js'
import { routesOf } from './routes/routes.js'

export interface RestOptions
  extends Pick<
    DeskParts,
    'sessions' | 'index' | 'audiences' | 'actions' | 'audit' | 'rules' | 'absences' | 'membersOf' | 'isKnown' | 'clock'
  > {
  /** Who may read the whole audit. Default: nobody; everyone reads what concerns them. */
  readonly mayAudit?: ((viewer: RestViewer) => boolean) | undefined
  /** How much may wait for a client that reads its events slowly. Default: 256 Ki characters. */
  readonly maxBufferedChars?: number | undefined
  /** Default: 32. */
  readonly maxFeedsPerPerson?: number | undefined
  /** Requests of one person, over all their devices, to this node. Default: 200 a second, and 2,000 at once. */
  readonly rate?: Rate | undefined
  /** Bytes of the bodies that one person sends, the same. Default: 1 MiB a second, and 16 MiB at once. */
  readonly bytes?: Rate | undefined
  /** Told why something could not be done; the caller gets a 503. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Routes of what not every desk has. */
  readonly more?: ((desk: DeskView) => readonly Route[]) | undefined
  /** How often a feed shows that it lives. Default: 15 seconds. */
  readonly keepAliveMs?: number | undefined
}

export interface Rest {
  /** Answers a request for `/api/...`; undefined for every other. */
  handle(request: RestRequest, viewer: RestViewer): Promise<RestResponse | undefined>
  /** Ends every feed. */
  close(): void
}

export function createRest({
  sessions,
  index,
  audiences,
  actions,
  audit,
  rules,
  absences,
  membersOf,
  isKnown,
  clock,
  ...options
}: RestOptions): Rest {
  const {
    mayAudit = () => false,
    maxBufferedChars = 256 * 1024,
    maxFeedsPerPerson = 32,
    keepAliveMs = 15_000,
    rate = { perSecond: 200, burst: 2_000 },
    bytes = { perSecond: 1024 * 1024, burst: 16 * 1024 * 1024 },
    onError = () => {},
  } = options
  const people = new KeyedRate(rate)
  const bodies = new KeyedRate(bytes)
  const now = () => clock.now()
  const views = new Views(audit, now)
  const limits = { maxBufferedChars, maxFeedsPerPerson, keepAliveMs }
  const feeds = new Feeds({ sessions, audiences, views, membersOf, clock, limits })
  const desk = { sessions, index, actions, audit, rules, absences, membersOf, isKnown, views, now }
  const routes = [...routesOf({ desk, feeds, mayAudit }), ...(options.more?.(desk) ?? [])]
  return {
    async handle(request, viewer) {
      if (!request.path.startsWith('/api/')) return undefined
      const { principal } = viewer
      const isWithin = people.take(principal, now()) && bodies.take(principal, now(), request.bodyBytes ?? 0)
      if (!isWithin) return later(problem({ code: 'too-many' }))
      return route(routes, request, viewer).catch(error => {
        onError(error)
        return later(problem(unavailable))
      })
    },
    close() {
      feeds.close()
    },
  }
}

import type { Gate } from '../asks/gate.js'
import type { Order } from '../log/order.js'
import type { TrialNews } from '../try-it.js'
import type { Clients } from './clients.js'
import type { Feed } from './feed.js'
import type { LiveLimits } from './limits.js'
import type { Subscribers } from './subscribers.js'

/** What the methods of the live protocol work on. */
export interface LiveDesk {
  readonly order: Order
  readonly gate: Pick<Gate, 'dispatch' | 'createSession' | 'disposeSession' | 'viewed'>
  readonly feed: Feed
  readonly subscribers: Subscribers
  readonly clients: Clients
  readonly limits: LiveLimits
  /** Told about the desk's own faults. */
  readonly onError: (error: unknown) => void
  /** Puts an ask for someone to try the desk with, and tells them how it goes. It must not throw. */
  readonly tryIt?: ((tell: (news: TrialNews) => void) => void) | undefined
}

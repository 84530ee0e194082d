import type { Gate } from '../asks/gate.js'
import type { Order } from '../log/order.js'
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
  /** Puts an ask for someone to try the desk with. It must not throw. */
  readonly tryIt?: (() => void) | undefined
}

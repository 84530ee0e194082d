import type { Audit } from '../asks/audit.js'
import type { Gate } from '../asks/gate.js'
import type { Order } from '../log/order.js'
import type { AskIndex } from './asks/ask-index.js'
import type { Views } from './asks/views.js'

/** What the routes work with. */
export interface DeskView {
  readonly order: Order
  readonly gate: Gate
  readonly audit: Audit
  readonly asks: AskIndex
  readonly views: Views
  readonly now: () => number
}

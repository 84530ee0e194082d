import type { ServerContext } from '@modelcontextprotocol/server'
import type { Approvals } from './approvals.js'
import type { PendingCalls } from './pending-calls.js'
import type { PromisedOutputs } from './promised-outputs.js'
import type { ProxyDesk } from './proxy-desk.js'
import type { Upstreams } from './upstreams.js'

/** What every client of a proxy shares. */
export interface Proxying {
  readonly upstreams: Upstreams
  readonly desk: ProxyDesk
  readonly pending: PendingCalls<ServerContext>
  readonly outputs: PromisedOutputs
  /** Where calls have to be approved; undefined where they need not. */
  readonly approvals: Approvals | undefined
}

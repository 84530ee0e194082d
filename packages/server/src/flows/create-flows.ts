import type { AskSettings } from '../author/ask-person.js'
import type { Scopes } from '../author/call-context.js'
import type { Identify } from '../author/identify.js'
import type { Pages } from '../pages/index.js'
import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/index.js'
import type { Waits } from '../waits/waits.js'
import { beginFlow } from './begin-flow.js'
import type { Flow } from './flow.js'
import { flowRecords } from './flow-records.js'
import { type Flows, KnownFlows } from './flows.js'
import type { PageAddress } from './page-address.js'

export interface FlowsOptions {
  pages: Pages
  identify: Identify<Request> | undefined
  address: PageAddress
  onDone: (elicitationId: string) => void
}

/** What flows need of the engine that their calls run on. */
export interface FlowsEngine {
  readonly store: Store
  readonly clock: Clock
  readonly waits: Waits
  readonly scopes: Scopes
  readonly settings: Pick<AskSettings, 'allowHttp' | 'completions'>
  written(): Promise<void>
}

/** A plain URL ask, with no page but the one that leads on. */
const urlFlow: Flow<null> = { name: 'url', endsBy: 'elicitation' }

/** The flows of a server, on its engine. */
export function createFlows(engine: FlowsEngine, { pages, identify, address, onDone }: FlowsOptions): Flows {
  const { store, clock, waits, scopes, settings } = engine
  const flows: Flows = {
    identifies: identify !== undefined,
    async link(call, { elicitationId, message, url, timeoutMs, allowHttp }) {
      const ids = { flowId: call.nextId('flow'), elicitationId }
      const begin = () => ({ url, data: null })
      const { link } = await beginFlow(flows, call, { flow: urlFlow, message, timeoutMs, allowHttp, ids, begin })
      return link
    },
    address,
    identify,
    pages,
    records: flowRecords(store, clock),
    known: new KnownFlows(address, identify !== undefined),
    completions: settings.completions,
    waits,
    clock,
    store,
    people: scopes.deps.people.store,
    session: id => scopes.session(id),
    sessionIdOf: call => scopes.sessionIdOf(call),
    written: () => engine.written(),
    onDone,
  }
  return flows
}

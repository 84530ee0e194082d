import type { Identify } from '../author/identify.js'
import { type Brand, createPages } from '../pages/index.js'
import type { Engine } from '../server/engine.js'
import { flowRecords } from './flow-records.js'
import { type Flows, KnownFlows } from './flows.js'
import type { PageAddress } from './page-address.js'

export interface FlowsOptions {
  /** The name of the server, for its pages. */
  name: string
  brand: Brand | undefined
  identify: Identify<Request> | undefined
  address: PageAddress
  onDone: (elicitationId: string) => void
}

/** The flows of a server, on its engine. */
export function createFlows(engine: Engine, { name, brand = {}, identify, address, onDone }: FlowsOptions): Flows {
  const { store, clock, waits, scopes, settings } = engine
  return {
    server: name,
    address,
    identify,
    pages: createPages(brand, name, settings.allowHttp),
    records: flowRecords(name, store, clock),
    known: new KnownFlows(address, identify !== undefined),
    completions: settings.completions,
    waits,
    clock,
    store,
    session: id => scopes.session(id),
    sessionIdOf: call => scopes.sessionIdOf(call),
    written: () => engine.written(),
    onDone,
  }
}

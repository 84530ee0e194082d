import type { Identify } from '../author/identify.js'
import type { Middleware } from '../author/middleware.js'
import type { PageLinks } from '../author/page-links.js'
import type { Session } from '../author/session.js'
import type { Call } from '../call/call.js'
import type { Pages } from '../pages/index.js'
import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/index.js'
import type { Completions } from '../waits/completions.js'
import type { Waits } from '../waits/waits.js'
import { type Flow, flowsOf } from './flow.js'
import type { FlowRecords } from './flow-records.js'
import type { PageAddress } from './page-address.js'

/** What the flows of one server share. */
export interface Flows extends PageLinks {
  readonly address: PageAddress
  readonly identify: Identify<Request> | undefined
  readonly pages: Pages
  readonly records: FlowRecords
  readonly known: KnownFlows
  readonly completions: Completions
  readonly waits: Waits
  readonly clock: Clock
  readonly store: Store
  /** Where it is kept what is known of people. */
  readonly people: Store
  session(id: string): Session
  sessionIdOf(call: Call): string
  /** Resolves when everything is there that this process began to write. */
  written(): Promise<void>
  /** Tells a client that was sent to a page, and is not waiting, that the flow is done. */
  onDone(elicitationId: string): void
}

/** The flows of the server that a call is on; undefined where it has none. */
export function flowsIn({ flows }: { readonly flows: PageLinks | undefined }): Flows | undefined {
  // Only `createFlows` makes any.
  return flows as Flows | undefined
}

/** What our own pages and plain URL asks go by. */
const reserved = ['go', 'url', 'sign-in', 'receipts']

/** The flows that the middleware of a server brings, by name. */
export class KnownFlows {
  readonly #flows = new Map<string, Flow>()
  readonly #address: PageAddress
  readonly #identifies: boolean

  constructor(address: PageAddress, identifies: boolean) {
    this.#address = address
    this.#identifies = identifies
  }

  get(name: string): Flow | undefined {
    return this.#flows.get(name)
  }

  /** @throws TypeError for two of one name, and where people could not be told apart */
  add(middleware: readonly Middleware[]): void {
    this.bring(middleware.flatMap(flowsOf))
  }

  /** The same for flows that no middleware brings. */
  bring(brought: readonly Flow[]): void {
    for (const flow of brought) this.#checkName(flow)
    this.#checkIdentity(brought[0])
    for (const flow of brought) this.#flows.set(flow.name, flow)
  }

  /** @throws TypeError where people could not be told apart */
  check(): void {
    const [flow] = this.#flows.values()
    this.#checkIdentity(flow)
  }

  #checkName(flow: Flow): void {
    const { name } = flow
    if (!/^[a-z][a-z\d-]*$/.test(name) || reserved.includes(name))
      throw new TypeError(
        `"${name}" is not a name for a flow: use small letters, digits and dashes, and not ${reserved.join(' or ')}.`,
      )
    if ((this.#flows.get(name) ?? flow) !== flow)
      throw new TypeError(
        `There are two different middleware with the name "${name}" on this server. Give each a name of its own: ${camel(name)}({ name: '...' }).`,
      )
  }

  /** The person who opens a page must be the one the call is for. Without `identify` that can only be held on this machine. */
  #checkIdentity(flow: Flow | undefined): void {
    if (flow === undefined || this.#identifies || this.#address.isLocal !== false) return
    throw new TypeError(
      `${camel(flow.name)} sends people to a page, and this server can be reached from elsewhere without being able to tell them apart. ` +
        'Give createServer an `identify`, or serve on this machine only.',
    )
  }
}

function camel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

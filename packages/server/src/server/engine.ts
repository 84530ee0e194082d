import { isRequestBound } from '#platform'
import type { CheckToken } from '../auth/verified-token.js'
import type { AskSettings, UrlSession } from '../author/ask-person.js'
import type { Scopes } from '../author/call-context.js'
import { OptionSearches } from '../author/option-searches.js'
import type { AskSigner } from '../author/receipts.js'
import { PendingWrites } from '../author/session.js'
import type { ReplayMode } from '../call/incoming.js'
import type { Key } from '../crypto/seal.js'
import type { Flows } from '../flows/index.js'
import { knownClients } from '../person/known-clients.js'
import { checkPersonRule, type PersonRule } from '../person/rule.js'
import type { Quirk } from '../protocol/capabilities.js'
import type { Resume } from '../runner/call-request.js'
import { CallerBounds } from '../runner/caller-bounds.js'
import { Nodes } from '../runner/nodes.js'
import { Runner } from '../runner/runner.js'
import { type Clock, systemClock } from '../runtime/clock.js'
import { borrowedStore } from '../store/borrowed-store.js'
import { givenKeys, type KeyRing, keyRingFor, ownKey } from '../store/key-ring.js'
import { memoryStore } from '../store/memory-store.js'
import { scopedStore } from '../store/scoped-store.js'
import { storeSealedBy } from '../store/sealed-store.js'
import type { Store } from '../store/store.js'
import { Telemetry } from '../telemetry/telemetry.js'
import { timedStore } from '../telemetry/timed-store.js'
import { createCompletions } from '../waits/completions.js'
import { createWaits, type Waits } from '../waits/waits.js'
import { type AppAsks, createAppAsks } from '../wires/app-asks.js'
import type { AskDesk } from '../wires/desk.js'
import { createRelay, type Relay } from '../wires/relay.js'
import { type RemoteDeskOptions, remoteDeskFrom } from '../wires/remote-desk/remote-desk.js'
import { Tasks } from '../wires/tasks.js'
import { encodeEnd } from './encoded.js'
import { defaultLimits, type Limits } from './limits.js'
import { scopesOf } from './scopes.js'

/** Where asks go that the client cannot show. */
export interface DeskAttachment {
  readonly desk: AskDesk
  /** The name under which calls appear. */
  readonly server: string
  /** How long a request waits before the model is told to call again. */
  readonly waitMs: number
}

export interface EngineOptions {
  /** A desk for asks that the client cannot show: one of this process, or the URL of another's. */
  desk?: AskDesk | string | RemoteDeskOptions | undefined
  /** How long a call waits for an answer on the desk before the model is told to call again: 20 seconds, or `hold` for as long as the client lets us. */
  wait?: 'hold' | number | undefined
  /**
   * What becomes of a call on the desk whose client cancels it, or goes away, while its request is open: `keep` leaves it to
   * anyone who calls the same again, `cancel` withdraws its asks. Default: `keep`.
   */
  whenGone?: 'keep' | 'cancel' | undefined
  /**
   * Keys that seal request states and what is stored: the first seals, all of them open. Default: with a shared store, keys
   * that are kept in it, wrapped by `BECKON_KEY` where that is set; without one, a new key for each process.
   */
  keys?: Key | readonly Key[] | undefined
  /** Default: in memory. The caller that gives one closes it. */
  store?: Store | undefined
  /**
   * Servers in one store that give the same name here share what they know of people: `ctx.session`, `ctx.userStore`, who is
   * signed in and authorized, and tokens. Default: nothing of a person is shared with another server.
   */
  people?: string | undefined
  /**
   * When a handler is run again from its journal: where it must, on every round, or not at all. Default: where it must; on
   * runtimes that end with each request what it left behind, as workerd does, on every round.
   */
  replay?: ReplayMode | undefined
  /** What this version does with the journal of another one. */
  onDeploy?: 'replay' | 'fail' | undefined
  /** Clients that declare elicitation although nobody is there. Default: `knownClients`. */
  quirks?: readonly Quirk[] | undefined
  /**
   * Whose answers count where neither the ask nor its tool says so: those of a person who is there, or any. With `floorMs` it
   * sets the floor where that is checked. Default: checked for tools that are destructive or require confirmation.
   */
  person?: PersonRule | undefined
  /** Let URL asks lead to plain http beyond this machine. */
  allowHttp?: boolean | undefined
  /** How long replies and journals are kept after a call has ended. Default: 15 minutes. */
  retainMs?: number | undefined
  limits?: Partial<Limits> | undefined
  /** For tests. */
  clock?: Clock | undefined
}

type Result = Record<string, unknown>

/** What runs calls: where they wait, what seals their states, and where their values are. */
export interface Engine {
  readonly store: Store
  readonly name: string
  readonly version: string
  readonly telemetry: Telemetry
  readonly runner: Runner<Result>
  readonly tasks: Tasks
  readonly nodes: Nodes
  /** Seals what leaves this server and comes back. */
  readonly ring: KeyRing
  /** Has the server say how a durable call is run again whose process is gone. */
  onResume(resume: Resume<Result>): void
  readonly relay: Relay
  readonly appAsks: AppAsks
  readonly searches: OptionSearches
  readonly scopes: Scopes
  readonly clock: Clock
  readonly settings: Omit<
    AskSettings,
    | ('fallback' | 'hasDesk' | 'approval' | 'person' | 'isSilent' | 'urlError' | 'flows')
    | ('subject' | 'verifier' | 'files' | 'widgets' | 'hasView' | 'searches' | 'receipts' | 'unheard')
  >
  readonly desk: DeskAttachment | undefined
  /** Told what goes wrong of which clients hear no more than that. */
  readonly onError: ((error: unknown) => void) | undefined
  readonly person: PersonRule | undefined
  /** Which session waits to be told of the end of a flow, by elicitation id. */
  readonly urlSessions: CallerBounds<string, UrlSession>
  readonly waits: Waits
  /** Our own pages, for a server that has some. */
  flows: Flows | undefined
  /** Where people confirm with a passkey, for a server that has that. */
  verifier: AskSettings['verifier']
  /** Set with the pages that it needs. */
  files: AskSettings['files']
  /** Pages that show asks, for a server that has some. */
  widgets: AskSettings['widgets']
  /** What signs answers, for a server that has that. */
  receipts: AskSigner | undefined
  /** Resolves when everything is there that this process began to write. */
  written(): Promise<void>
  /** Ends the wait for the flow behind a URL, once what was written before is there. */
  completeElicitation(id: string): Promise<boolean>
  /** Takes over what other processes left, from now on, also before a call of its own needs the store. */
  watchOver(): void
  /** Lets every call go, and the store with them, unless it was given. */
  close(): Promise<void>
}

const hourMs = 60 * 60 * 1000
const defaultWaitMs = 20_000
/** How long an ask on the desk, or in a task, is open; a request waits no longer for it. */
const durableAskMs = 24 * hourMs
/** How long a call may take that goes on without its client: longer than one ask, so that its handler hears of the expiry. */
const durableCallMs = 2 * durableAskMs

export function createEngine(
  options: EngineOptions & {
    readonly checkToken?: CheckToken | undefined
    readonly onError?: ((error: unknown) => void) | undefined
  },
  version: string,
  name = 'asks',
): Engine {
  const { clock = systemClock } = options
  checkPersonRule(options.person, 'the server')
  const given = options.store === undefined ? memoryStore({ clock }) : borrowedStore(options.store)
  const { replay = isRequestBound ? 'always' : 'when-needed', onDeploy = 'replay' } = options
  const telemetry = new Telemetry()
  const limits = { ...defaultLimits, ...options.limits }
  const ownRing = () => (options.keys === undefined ? ownKey() : givenKeys(options.keys))
  const ring = given.shared ? keyRingFor(given, options.keys, clock) : ownRing()
  // What is in this process alone is as safe there as its key would be.
  const whole = given.shared ? storeSealedBy(timedStore(given, telemetry), ring) : given
  // Every name begins with the server's: what one of them keeps, another one in the same store does not find.
  const store = scopedStore(whole, { server: name })
  const people = options.people === undefined ? store : scopedStore(whole, { people: options.people })
  const writes = new PendingWrites()
  const waits = createWaits(store, clock)
  const peopleWaits = people === store ? waits : createWaits(people, clock)
  const completions = createCompletions({ store, clock, waits })
  const urlSessions = new CallerBounds<string, UrlSession>({
    max: limits.pages,
    maxBytes: Number.POSITIVE_INFINITY,
    maxPerCaller: limits.pages,
    whenFull: 'evict',
  })
  const retainMs = options.retainMs ?? hourMs / 4
  const nodes = new Nodes({ store, clock, leaseMs: limits.leaseMs })
  let resume: Resume<Result> = () => ({
    error: { code: -32603, message: 'The process that ran this call is gone.' },
  })
  const runner = new Runner<Result>({
    version,
    store,
    clock,
    nodes,
    // By name: keys may be the same for several servers, and what one of them knows of a person is not for another.
    seal: ring.seal(`request state of ${name}`),
    replay,
    onDeploy,
    retainMs,
    durableMs: durableCallMs,
    whenGone: options.whenGone ?? 'keep',
    limits,
    telemetry,
    encodeEnd: (end, call) => encodeEnd(end, call, options.onError ?? (() => {})),
    resume: record => resume(record),
  })
  const desk =
    options.desk === undefined
      ? undefined
      : {
          desk:
            typeof options.desk === 'object' && 'open' in options.desk
              ? options.desk
              : remoteDeskFrom(options.desk, clock, options.onError),
          server: name,
          waitMs: options.wait === 'hold' ? durableAskMs : (options.wait ?? defaultWaitMs),
        }
  const searches = new OptionSearches(ring.seal(`choices of ${name}`), clock)
  const stopFinding = desk?.desk.finds?.(name, async (handle, search) => {
    await ring.opening
    return searches.find({ handle, search })
  })
  searches.reachesDesk = stopFinding !== undefined
  const handleLimits = { store, maxHandles: limits.handles, maxBytes: limits.suspendedBytes, retainMs }
  return {
    store,
    name,
    version,
    telemetry,
    runner,
    tasks: new Tasks(runner.durable, clock),
    nodes,
    ring,
    onResume(how) {
      resume = how
    },
    appAsks: createAppAsks(handleLimits),
    searches,
    relay: createRelay(clock, handleLimits),
    scopes: scopesOf(
      {
        server: name,
        store,
        people: { store: people, waits: peopleWaits },
        clock,
        waits,
        ring,
        checkToken: options.checkToken,
      },
      writes,
      limits.anonymous,
    ),
    clock,
    settings: {
      quirks: options.quirks ?? knownClients,
      allowHttp: options.allowHttp ?? false,
      expiryMs: { client: hourMs, durable: durableAskMs, url: 5 * 60 * 1000 },
      completions,
      urlSessions,
    },
    desk,
    onError: options.onError,
    person: options.person,
    urlSessions,
    waits,
    flows: undefined,
    verifier: undefined,
    files: undefined,
    widgets: undefined,
    receipts: undefined,
    written: () => writes.settled(),
    async completeElicitation(id) {
      await writes.settled()
      return completions.complete(id)
    },
    watchOver() {
      if (store.shared) void nodes.retryUntilStored(async () => nodes.join())
    },
    async close() {
      stopFinding?.()
      runner.close()
      await nodes.close()
      await store.close()
    },
  }
}

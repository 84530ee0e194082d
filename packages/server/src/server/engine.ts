import type { AskSettings } from '../author/ask-person.js'
import type { Scopes } from '../author/call-context.js'
import { PendingWrites } from '../author/session.js'
import { BoundedMap } from '../calls/bounded-map.js'
import { type Clock, systemClock } from '../calls/clock.js'
import { createCompletions } from '../calls/completions.js'
import type { Ledger } from '../calls/ledger.js'
import { MemoryLedger, type MemoryLedgerLimits } from '../calls/memory-ledger.js'
import type { ReplayMode, RoundsLimits } from '../calls/round.js'
import { Rounds } from '../calls/rounds.js'
import { createSeal, type Key, randomKey } from '../calls/seal.js'
import { StoreLedger } from '../calls/store-ledger.js'
import type { JsonValue } from '../store/json.js'
import { memoryStore } from '../store/memory-store.js'
import type { Store } from '../store/store.js'
import type { Quirk } from '../wires/capabilities.js'
import { type AskDesk, DeskCalls } from '../wires/desk.js'
import { createRelay, type Relay } from '../wires/relay.js'
import { Tasks } from '../wires/tasks.js'
import { type Encoded, taskEnd } from './answer-job.js'
import { scopesOf } from './scopes.js'

/** Where asks go that the client cannot put. */
export interface DeskAttachment {
  readonly desk: AskDesk
  readonly calls: DeskCalls<Record<string, unknown>>
  /** The name under which calls appear. */
  readonly server: string
  /** How long a request waits before the model is told to call again. */
  readonly waitMs: number
}

export interface EngineOptions {
  /** A desk for asks that the client cannot put. */
  desk?: AskDesk | undefined
  /** How long a call waits for an answer on the desk before the model is told to call again: 20 seconds, or `hold` for as long as the client lets us. */
  wait?: 'hold' | number | undefined
  /** Keys that seal request states: the first seals, all of them open. Default: a new one for each process. */
  keys?: Key | readonly Key[] | undefined
  store?: Store | undefined
  /** When a handler is run again from its journal: where it must, on every round, or not at all. */
  replay?: ReplayMode | undefined
  /** What this version does with the journal of another one. */
  onDeploy?: 'replay' | 'fail' | undefined
  /** Clients that declare elicitation although nobody is there. */
  quirks?: readonly Quirk[] | undefined
  /** Let URL asks lead to plain http beyond this machine. */
  allowHttp?: boolean | undefined
  /** How long replies and journals are kept after a call has ended. Default: 15 minutes. */
  retainMs?: number | undefined
  limits?: Partial<Limits> | undefined
  /** For tests. */
  clock?: Clock | undefined
}

/** What runs calls: where they wait, what seals their states, and where their values are. */
export interface Engine {
  readonly store: Store
  readonly rounds: Rounds<Record<string, unknown>, Encoded>
  readonly tasks: Tasks
  readonly relay: Relay
  readonly scopes: Scopes
  readonly clock: Clock
  readonly settings: Omit<AskSettings, 'fallback' | 'isGuarded' | 'urlError'>
  readonly maxAsks: number
  readonly desk: DeskAttachment | undefined
  /** Which session waits to be told of the end of a flow, by elicitation id. */
  readonly urlSessions: BoundedMap<string, string>
  /** Ends the wait for the flow behind a URL, once what was written before is there. */
  completeElicitation(id: string): Promise<boolean>
  /** Lets every call go. The store stays open. */
  close(): void
}

const hourMs = 60 * 60 * 1000
const defaultWaitMs = 20_000
/** As long as an ask on the desk may take. */
const holdMs = 24 * hourMs

type Limits = RoundsLimits & MemoryLedgerLimits & { tasks: number }

const defaultLimits: Limits = {
  suspended: 10_000,
  suspendedPerPrincipal: 1_000,
  replies: 1_000,
  rounds: 100_000,
  stateBytes: 64 * 1024,
  asks: 256,
  holdMs: 45_000,
  tasks: 10_000,
}

export function createEngine(options: EngineOptions, version: string, name = 'asks'): Engine {
  const { clock = systemClock, store = memoryStore({ clock }) } = options
  const limits = { ...defaultLimits, ...options.limits }
  const writes = new PendingWrites()
  const completions = createCompletions(store, clock)
  const urlSessions = new BoundedMap<string, string>(limits.tasks)
  const keys = options.keys === undefined ? [randomKey()] : [options.keys].flat()
  const retainMs = options.retainMs ?? hourMs / 4
  const ledger = store.shared
    ? new StoreLedger<Encoded & JsonValue>({ store, seal: createSeal(keys, 'journal'), clock, retainMs })
    : new MemoryLedger<Encoded>(clock, limits)
  const rounds = new Rounds<Record<string, unknown>, Encoded>(
    {
      seal: createSeal(keys, 'request state'),
      clock,
      version,
      replay: options.replay ?? 'when-needed',
      onDeploy: options.onDeploy ?? 'replay',
      retainMs,
      limits,
    },
    // What is encoded is JSON: it is sent as such.
    ledger as Ledger<Encoded>,
  )
  const desk = options.desk && {
    desk: options.desk,
    calls: new DeskCalls<Record<string, unknown>>(clock, limits.suspended),
    server: name,
    waitMs: options.wait === 'hold' ? holdMs : (options.wait ?? defaultWaitMs),
  }
  const tasks = new Tasks({ clock, ttlMs: 24 * hourMs, max: limits.tasks, readEnd: taskEnd })
  return {
    store,
    rounds,
    tasks,
    relay: createRelay(store),
    scopes: scopesOf(store, writes),
    clock,
    settings: {
      quirks: options.quirks ?? [],
      allowHttp: options.allowHttp ?? false,
      expiryMs: { ask: hourMs, url: 5 * 60 * 1000 },
      completions,
      urlSessions,
    },
    maxAsks: limits.asks,
    desk,
    urlSessions,
    async completeElicitation(id) {
      await writes.settled()
      return completions.complete(id)
    },
    close() {
      rounds.close()
      desk?.calls.close()
      tasks.close()
    },
  }
}

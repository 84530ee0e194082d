import { randomUUID } from 'node:crypto'
import { type Clock, memoryStore, systemClock } from 'beckon'
import type { Store } from 'beckon/store'
import { scopedStore } from 'beckon/store/adapter'
import { type ActionProofs, DeskActions } from './actions/desk-actions.js'
import { OptionFinders } from './asks/option-finders.js'
import { RemoteSearches } from './asks/remote-searches.js'
import { Audit } from './audit/audit.js'
import { Due } from './due/due.js'
import { AskIndex } from './index/ask-index.js'
import type { AskLimits } from './limits/ask-limits.js'
import { OpenCounts } from './limits/open-counts.js'
import { OpenQuota } from './limits/open-quota.js'
import { Absences } from './people/absences.js'
import type { GroupsOf } from './people/directory.js'
import { People } from './people/people.js'
import { SeenMembers } from './people/seen-members.js'
import type { MembersOf } from './policy/approval.js'
import type { Person, Role } from './policy/audience.js'
import { DeskRules, type RuleChange } from './rules/desk-rules.js'
import type { Rule } from './rules/rule.js'
import { Audiences } from './sessions/audiences.js'
import { EndedElsewhere } from './sessions/ended-elsewhere.js'
import type { HintSeal } from './sessions/hints.js'
import { type HistoryLimits, keepRecent } from './sessions/keep-recent.js'
import { Sessions } from './sessions/sessions.js'
import { Waiters } from './sessions/waiters.js'
import { RetryUntilStored } from './turns/retry-until-stored.js'
import type { TurnDeps } from './turns/turn.js'
import { WidgetPages } from './widgets/widget-pages.js'

/** How much there may be of what a desk keeps. */
export interface PartsLimits {
  /** Open asks in a session. Default: 1,000. */
  readonly maxOpenAsks?: number | undefined
  /** Open asks of one server, over all its callers. Default: 10,000. */
  readonly maxOpenAsksPerServer?: number | undefined
  /** Open asks of one caller of a server; callers without a principal are counted together. Default: 1,000. */
  readonly maxOpenAsksPerCaller?: number | undefined
  /** Open asks on the desk. Default, in memory: 100,000; in a store, as many as it holds. */
  readonly maxOpenAsksInAll?: number | undefined
  /** All that is open in a session. Default: 4 MiB. */
  readonly maxSessionBytes?: number | undefined
  /** An ask of a program, with the arguments that it shows. Default: 256 KiB. */
  readonly maxAskBytes?: number | undefined
  /** What people have typed into one ask so far. Default: 256 KiB. */
  readonly maxDraftBytes?: number | undefined
  /** Sessions that a person has made. Default: 1,000. */
  readonly maxSessions?: number | undefined
}

export interface DeskPartsOptions {
  readonly store?: Store | undefined
  /** What seals what nodes tell each other, where the store is sealed. */
  readonly seal?: HintSeal | undefined
  /** Whether nobody else has the store. */
  readonly isAlone?: boolean | undefined
  readonly clock?: Clock | undefined
  /** How much of what is over is kept. */
  readonly history?: HistoryLimits | undefined
  /** How long the audit is kept. Default: for good. */
  readonly auditMs?: number | undefined
  readonly limits?: PartsLimits | undefined
  /** How many sessions that nobody follows stay in memory. Default: 2,000, more than a desk in memory keeps of calls. */
  readonly maxIdle?: number | undefined
  /** Where people accept with passkeys, or what they answer is signed. */
  readonly proofs?: ((sessions: Sessions) => ActionProofs) | undefined
  readonly hasPasskeys?: boolean | undefined
  /** Which groups someone is in now, where a directory says. */
  readonly groupsOf?: GroupsOf | undefined
  /** What someone may do, where their access does not say. */
  readonly roleOf?: ((person: Person) => Role | undefined) | undefined
  /** Who is in a group, where a directory says. */
  readonly membersOf?: MembersOf | undefined
  /** Standing decisions: a file, or the rules themselves. */
  readonly rules?: string | readonly Rule[] | undefined
  readonly onReminder?: ((session: string, request: string) => void) | undefined
  readonly onError?: ((error: unknown) => void) | undefined
}

/** A desk without its listeners: its sessions, who may do what to them, and what time does. */
export interface DeskParts {
  /** The desk's own part of the store. */
  readonly store: Store
  readonly clock: Clock
  readonly sessions: Sessions
  readonly index: AskIndex
  readonly audiences: Audiences
  readonly actions: DeskActions
  readonly audit: Audit
  readonly rules: DeskRules
  readonly people: People
  readonly members: SeenMembers
  readonly absences: Absences
  readonly membersOf: MembersOf
  /** Whether there is such a person, as far as the desk knows. */
  readonly isKnown: (principal: string) => Promise<boolean>
  readonly turns: TurnDeps
  readonly widgets: WidgetPages
  readonly finders: OptionFinders
  readonly searches: RemoteSearches
  close(): Promise<void>
}

const weekMs = 7 * 24 * 60 * 60 * 1000
/** So long a call that is over is kept in any case: anyone who waited for it has to see how it ended. */
const minKeepMs = 60_000

/** The part of a store that is the desk's own. Of a sealed store: what it keeps is sealed for the names of the whole. */
export function deskStore(store: Store): Store {
  return scopedStore(store, { desk: true })
}

export function createParts(options: DeskPartsOptions = {}): DeskParts {
  const { clock = systemClock, onReminder = () => {}, onError = error => console.error(error) } = options
  const store = deskStore(options.store ?? memoryStore({ clock }))
  const keepMs = Math.max(minKeepMs, options.history?.keepMs ?? weekMs)
  const { maxIdle = 2_000, limits = {}, hasPasskeys = false, groupsOf, seal, isAlone } = options
  const { maxOpenAsksPerServer: maxPerServer = 10_000, maxOpenAsksPerCaller: maxPerCaller = 1_000 } = limits
  const { maxOpenAsksInAll: maxInAll = store.shared ? Number.POSITIVE_INFINITY : 100_000 } = limits
  const { maxSessions = 1_000, maxDraftBytes = 256 * 1024 } = limits
  const askLimits: AskLimits = {
    maxOpenAsks: limits.maxOpenAsks ?? 1_000,
    maxAskBytes: limits.maxAskBytes ?? 256 * 1024,
    maxSessionBytes: limits.maxSessionBytes ?? 4 * 1024 * 1024,
  }
  // Another one with each start.
  const node = randomUUID()
  const now = () => clock.now()
  const index = new AskIndex({ store, clock, node, keepMs })
  const sessions = new Sessions({ store, clock, index, node, seal, isAlone, keepMs, maxIdle, onError })
  const waiters = new Waiters()
  const audit = new Audit({ store, clock, node, sessions, index, keepMs: options.auditMs, onError })
  const people = new People({ store, clock })
  const absences = new Absences({ store, clock })
  const members = new SeenMembers({ people, clock, isShared: store.shared })
  const membersOf = options.membersOf ?? (group => members.of(group))
  const isKnown = async (principal: string) =>
    (await people.unseen([principal])).length === 0 || ((await groupsOf?.(principal)) ?? []).length > 0
  const proofs = options.proofs?.(sessions)
  const signer = proofs && (() => proofs.signer())
  const actions = new DeskActions({
    sessions,
    index,
    audit,
    now,
    maxSessions,
    maxDraftBytes,
    groupsOf,
    isKnown,
    absences,
    proofs,
    onError,
  })
  const record = (change: RuleChange) => audit.require({ session: '', ...change })
  const rules = new DeskRules({ store, clock, given: options.rules, groupsOf, roleOf: options.roleOf, record, onError })
  const retry = new RetryUntilStored(clock)
  const counts = new OpenCounts({ store, clock, node })
  const quota = new OpenQuota({ index, counts, clock, maxPerServer, maxPerCaller, maxInAll })
  const nameAgain = (id: string) =>
    retry.run(async () => index.nameAgain(sessions.isLoaded(id) ? sessions.known(id) : await sessions.load(id)))
  const stops = [
    sessions.listen(told => {
      waiters.check(told.id, told.after)
      if (told.isOwn) counts.happened(told)
    }),
    sessions.onReset(id => {
      waiters.check(id, sessions.known(id))
      nameAgain(id)
    }),
    sessions.onStray(nameAgain),
  ]
  const widgets = new WidgetPages({ store, clock })
  const audiences = new Audiences({ sessions, index, clock })
  const elsewhere = new EndedElsewhere({ sessions, index, waiters, clock })
  const due = new Due({ sessions, index, absences, store, clock, onReminder, onError })
  const stopForgetting = keepRecent(sessions, { ...options.history, isShared: store.shared, now })
  const searches = new RemoteSearches(clock)
  return {
    store,
    clock,
    sessions,
    index,
    audiences,
    actions,
    audit,
    rules,
    people,
    members,
    absences,
    membersOf,
    isKnown,
    turns: { sessions, waiters, retry, now, node, limits: askLimits, quota, hasPasskeys, rules, absences, signer },
    widgets,
    finders: new OptionFinders(sessions, searches),
    searches,
    async close() {
      stopForgetting()
      members.close()
      retry.close()
      await due.close()
      await rules.close()
      await absences.close()
      elsewhere.close()
      audiences.close()
      await sessions.close()
      for (const stop of stops) stop()
      await counts.close()
      await audit.close()
    },
  }
}

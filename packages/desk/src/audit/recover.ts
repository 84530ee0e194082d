import type { Store } from 'beckon/store'
import { OrderedSet } from 'beckon/store/handles'
import type { Sessions } from '../sessions/sessions.js'
import { auditEntries } from './entries.js'
import type { EntryDraft } from './entry.js'
import { auditNames } from './log-names.js'
import type { LogReader } from './log-reader.js'
import type { LogWriter } from './log-writer.js'
import { goneMs, type PendingSession, slots } from './pending.js'

export interface RecoveryOptions {
  readonly store: Store
  readonly sessions: Pick<Sessions, 'replay'>
  readonly reader: LogReader
  readonly writer: LogWriter
  readonly now: () => number
}

/** Clocks of nodes differ by less. */
const skewMs = 10_000
const pageNotes = 1_000
const pageNodes = 100

/** Makes good what nodes that died did not write, from the logs of the sessions that they had noted. */
export class Recovery {
  readonly #options: RecoveryOptions

  constructor(options: RecoveryOptions) {
    this.#options = options
  }

  /** Looks for nodes that are gone. */
  async run(): Promise<void> {
    const { store, now } = this.#options
    const nodes = new OrderedSet(store, auditNames.nodes)
    const gone = await nodes.range({ to: now() - goneMs, limit: pageNodes })
    for (const { member: node, score } of gone) {
      for (let slot = 0; slot < slots; slot++)
        await this.#recoverSlot(new OrderedSet(store, auditNames.pending(node, slot)))
      // One that is back by now stays.
      await nodes.remove(node, { if: score })
    }
  }

  /** Writes what the audit does not have of sessions since a time. */
  async recover(sessions: readonly PendingSession[]): Promise<void> {
    const { sessions: logs, writer } = this.#options
    const since = sessions.reduce((first, one) => Math.min(first, one.since), Infinity) - skewMs
    const known = await this.#idsSince(since)
    for (const { session, since: from } of sessions) {
      const events = (await logs.replay(session)).filter(({ event }) => event.at >= from - skewMs)
      const missing = events.flatMap(auditEntries).filter(({ entry }) => !known.has(entry.id))
      writer.add(missing.map(draft => recovered(draft)))
    }
    await writer.flush()
  }

  async #recoverSlot(slot: OrderedSet): Promise<void> {
    for await (const notes of slot.pages({ limit: pageNotes })) {
      await this.recover(notes.map(({ member, score }) => ({ session: member, since: score })))
      // Not the slot as a whole: a node that was only slow may have noted something meanwhile.
      await slot.removeRead(notes)
    }
  }

  async #idsSince(since: number): Promise<ReadonlySet<string>> {
    const ids = new Set<string>()
    const all = { from: since, until: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY }
    for await (const { record } of this.#options.reader.records(all)) ids.add(record.e.id)
    return ids
  }
}

function recovered({ entry, ...draft }: EntryDraft): EntryDraft {
  return { ...draft, entry: { ...entry, isRecovered: true } }
}

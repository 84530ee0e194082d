import { type Clock, memoryStore, systemClock } from 'beckon'
import type { Store } from 'beckon/store'
import { Approvals } from './asks/approvals.js'
import { Audit } from './asks/audit.js'
import { Deadlines } from './asks/deadlines.js'
import { Gate } from './asks/gate.js'
import { History, type HistoryLimits } from './asks/history.js'
import { Insistence } from './asks/insistence.js'
import { Reminders } from './asks/reminders.js'
import { type DeskSession, openSession } from './asks/session.js'
import { Order } from './log/order.js'

export interface DeskPartsOptions {
  readonly store?: Store | undefined
  readonly clock?: Clock | undefined
  /** Under which name everything is kept in the store. */
  readonly name?: string | undefined
  /** How much of what is over is kept. */
  readonly history?: HistoryLimits | undefined
  /** How long the audit is kept. Default: for good. */
  readonly auditMs?: number | undefined
  readonly onReminder?: ((session: string, request: string) => void) | undefined
  readonly onError?: ((error: unknown) => void) | undefined
}

/** A desk without its doors: the order of what happens, who may do it, and what time does. */
export interface DeskParts {
  readonly store: Store
  readonly clock: Clock
  readonly order: Order
  readonly gate: Gate
  readonly audit: Audit
  session(id: string, options?: { title?: string; server?: string; isCall?: true }): Promise<DeskSession>
  close(): Promise<void>
}

export async function openParts(options: DeskPartsOptions = {}): Promise<DeskParts> {
  const { clock = systemClock, name = 'desk', onReminder = () => {}, onError = error => console.error(error) } = options
  const store = options.store ?? memoryStore({ clock })
  const order = new Order({ store, name, clock })
  await order.open()
  const now = () => clock.now()
  const audit = new Audit({ store, name, now, keepMs: options.auditMs })
  const gate = new Gate({ order, audit, approvals: new Approvals(store, name), now, onError })
  const insistence = new Insistence(clock)
  const reminders = new Reminders({ order, audit, store, name, clock, onReminder, onError })
  const deadlines = new Deadlines({ order, audit, clock, insistence, reminders, onError })
  const history = new History({ order, clock, ...options.history })
  return {
    store,
    clock,
    order,
    gate,
    audit,
    async session(id, { title = id, server = 'desk', isCall } = {}) {
      await order.change(state => ({
        lines:
          state.session(id) === undefined
            ? [{ session: id, act: { type: 'sessionCreated', title, server, ...(isCall && { isCall }) }, at: now() }]
            : [],
      }))
      return openSession({ order, audit, insistence, now, onError, session: id })
    },
    async close() {
      deadlines.close()
      insistence.close()
      history.close()
      await order.close()
    },
  }
}

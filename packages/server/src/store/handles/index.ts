// Typed handles on a store: what keeps state in one goes through these.
export { Cell, type CellChange } from './cell.js'
export type { Decision, Step } from './decide-batch.js'
export { EventLog } from './event-log.js'
export type { Change, EventLogOptions, Snapshots } from './event-log-options.js'
export { Lease, type LeaseOptions } from './lease.js'
export { Mailbox, MailboxFullError, type MailboxOptions } from './mailbox.js'
export { type ReplayedEvent, replayEvents } from './replay-events.js'
export { Watch, type WatchOptions } from './watch.js'

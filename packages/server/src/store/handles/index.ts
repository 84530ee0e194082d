// Typed handles on a store: what keeps state in one goes through these.
export { Cell, type CellChange } from './cell.js'
export { type Change, type Decision, EventLog, type EventLogOptions, type Snapshots, type Step } from './event-log.js'
export { Lease, type LeaseOptions } from './lease.js'
export { Mailbox, MailboxFullError, type MailboxOptions } from './mailbox.js'
export { type ReplayedEvent, replayEvents } from './replay-events.js'

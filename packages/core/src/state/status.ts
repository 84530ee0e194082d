/** The bits of a session's or chat's status. The first four say what it is doing, the last two are marks on it. */
export const SessionStatus = {
  idle: 1,
  error: 2,
  inProgress: 8,
  /** Includes `inProgress`. */
  inputNeeded: 24,
  isRead: 32,
  isArchived: 64,
} as const

const ACTIVITY_MASK = 31

/** Replaces what it is doing and keeps every other bit. */
export function withActivity(status: number, activity: number): number {
  return (status & ~ACTIVITY_MASK) | activity
}

/** Sets or clears one bit or more. */
export function withMark(status: number, mark: number, on: boolean): number {
  return on ? status | mark : status & ~mark
}

/** Gives a state its status. The same object comes back when it has it already. */
export function withStatus<T extends { status: number }>(state: T, status: number): T {
  return status === state.status ? state : { ...state, status }
}

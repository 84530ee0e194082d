/** Takes what comes in on a channel. */
export interface Receiver {
  message(text: string): void
  /** Called once. Nothing comes in after it, and nothing that is sent arrives. */
  closed(why: string): void
}

/** A connection to an application: texts in order, both ways. */
export interface Channel {
  /** Begins to deliver, from the first text on. Called once. */
  open(receiver: Receiver): void
  /** Sends a text; one that cannot be sent any more is dropped. */
  send(text: string): void
  close(code: number, reason: string): void
  /** Calls back once the other side has everything that was sent so far. */
  afterDelivery(fn: () => void): void
}

/** An application that does not read is let go once this much waits for it. */
export const maxBacklogBytes: number = 64 * 1024 * 1024

/** The largest frame that an application may send. */
export const maxFrameBytes: number = 8 * 1024 * 1024

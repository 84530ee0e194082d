/** Where frames go. What comes in is handed to the code that opened it. */
export interface Channel {
  send(text: string): void
  close(code: number, reason: string): void
}

/** The longest frame that is taken or sent. */
export const maxFrameBytes: number = 8 * 1024 * 1024

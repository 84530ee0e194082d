/** The longest frame that is taken or sent. */
export const maxFrameBytes: number = 8 * 1024 * 1024

const encoder = new TextEncoder()

/** Whether a text is longer than a frame may be. */
export function isTooLong(text: string): boolean {
  // A UTF-16 unit is at most three bytes of UTF-8: most texts need no counting.
  if (text.length * 3 <= maxFrameBytes) return false
  return text.length > maxFrameBytes || encoder.encode(text).length > maxFrameBytes
}

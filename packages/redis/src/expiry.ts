// Redis takes a key for expired from the millisecond after the one it was given, and a store's contract from the very
// millisecond on. So Redis is given the one before. (What is written in its very last millisecond may be gone within it.)

/** The `PXAT` of something that is absent from `expiresAt` on; one that has passed when that has passed, before 1970 too. */
export function pxatOf(expiresAt: number): number {
  return Math.min(Math.max(Math.ceil(expiresAt) - 1, 1), Number.MAX_SAFE_INTEGER)
}

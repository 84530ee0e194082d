import { vi } from 'vitest'

/** Waits until something holds; only a test that fails waits as long as this. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 30_000, interval: 10 })
}

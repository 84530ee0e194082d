// What a store makes of the options that it is given, the same for every adapter.
import type { AppendOptions, Expiry, ReadOptions } from './store.js'

/** When something goes away. @throws RangeError unless it is a finite number or left out. */
export function expiryOf(options: Expiry | undefined): number | undefined {
  const expiresAt = options?.expiresAt
  if (expiresAt === undefined || Number.isFinite(expiresAt)) return expiresAt
  throw new RangeError(
    `expiresAt is ${expiresAt}, and must be a finite number. Leave it out to keep the value for good.`,
  )
}

/** The sequence number to go on from. @throws RangeError unless it is a whole number or left out. */
export function afterOf(options: AppendOptions | ReadOptions | undefined): number | undefined {
  return wholeNumber('after', options?.after)
}

/** How many entries to read. @throws RangeError unless it is a whole number or left out. */
export function limitOf(options: ReadOptions | undefined): number | undefined {
  return wholeNumber('limit', options?.limit)
}

/** The number that a log is trimmed up to. @throws RangeError unless it is a whole number. */
export function upToOf(upTo: number): number {
  return checkWholeNumber('upTo', upTo)
}

/** The number, which must be given. @throws RangeError unless it is a whole number. */
export function checkWholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new RangeError(`${name} is ${value}, and must be a whole number that is not negative.`)
}

function wholeNumber(name: string, value: number | undefined): number | undefined {
  return value === undefined ? undefined : checkWholeNumber(name, value)
}

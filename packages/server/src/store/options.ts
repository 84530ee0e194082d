// What a store makes of the options that it is given, the same for every adapter.
import type { AppendOptions, Expiry, ReadOptions } from './store.js'

/** When something goes away. @throws RangeError unless it is a finite number or left out. */
export function expiryOf(options: Expiry | undefined): number | undefined {
  const expiresAt = options?.expiresAt
  if (expiresAt === undefined || Number.isFinite(expiresAt)) return expiresAt
  throw new RangeError(
    `expiresAt is ${expiresAt}, and has to be a finite number. Leave it out to keep the value for good.`,
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

function wholeNumber(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value
  throw new RangeError(`${name} is ${value}, and has to be a whole number that is not negative.`)
}

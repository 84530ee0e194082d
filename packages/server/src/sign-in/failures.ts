// Threat: someone who tries keys or tokens until one fits.
// An address that was wrong ten times within a minute is told to wait for the rest of that minute when it is wrong again. What is
// right, and too long to be guessed, always works: anyone who could lock it out would have a weapon. The same wrong guess again is no
// new guess.
// Not defended: guesses from many addresses at once (a secret of 256 bits does not need it), and people behind one proxy,
// who share its address unless whatever reads the address knows about the proxy.
import { isIPv6 } from 'node:net'
import type { Clock } from '../runtime/clock.js'
import { digestOf } from './secret.js'

const maxGuesses = 10
const windowMs = 60_000
const maxAddresses = 10_000

interface Window {
  readonly endsAt: number
  readonly guesses: Set<string>
}

export class Failures {
  readonly #windows = new Map<string, Window>()
  readonly #clock: Pick<Clock, 'now'>

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** How long an address has to wait with another guess; undefined when it need not, or was wrong with this very one before. */
  blockedForMs(address: string, guess?: string): number | undefined {
    const window = this.#windows.get(networkOf(address))
    const leftMs = (window?.endsAt ?? 0) - this.#clock.now()
    if (window === undefined || leftMs <= 0 || window.guesses.size < maxGuesses) return undefined
    return guess !== undefined && window.guesses.has(digestOf(guess)) ? undefined : leftMs
  }

  record(address: string, guess: string): void {
    const network = networkOf(address)
    const now = this.#clock.now()
    let window = this.#windows.get(network)
    if (window === undefined || window.endsAt <= now) {
      window = { endsAt: now + windowMs, guesses: new Set() }
      this.#windows.delete(network)
      this.#windows.set(network, window)
      this.#shrink(now)
    }
    if (window.guesses.size < maxGuesses) window.guesses.add(digestOf(guess))
  }

  #shrink(now: number): void {
    for (const [oldest, { endsAt }] of this.#windows) {
      if (this.#windows.size <= maxAddresses && endsAt > now) return
      this.#windows.delete(oldest)
    }
  }
}

/** An IPv4 address as it is; of an IPv6 address the half that its owner cannot choose. */
export function networkOf(address: string): string {
  const lower = address.toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(lower)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(lower)) return lower
  const [head = '', tail] = lower.replace(/%.*$/, '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - last.length)
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...last]
  return all
    .slice(0, 4)
    .map(group => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

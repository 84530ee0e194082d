// Threat: guessing. A flow is easy to begin again, a caller to be anew, and an address to change: so a guess counts for the
// caller, for the account that it is at, and for the address that it came from, each for itself, before it is looked at, so
// that many at once do not count as one. Nothing takes a wrong guess back, also no right one.
// Threat: anyone who guesses keeps the owner of the account out. Of one account and one address more is taken than of one
// caller; and who has signed in to an account before is counted for themselves alone.
import { digest } from '../../crypto/digest.js'
import type { OpenFlow } from '../../flows/index.js'
import { Cell } from '../../store/handles/index.js'

export interface Attempts {
  /** How many are left for the caller, once this one is counted; below zero it must not be looked at. */
  take(): Promise<number>
  /** It was right: it is not a guess, and the caller is known for this account from now on. */
  succeeded(): Promise<void>
}

export interface AttemptsOptions {
  /** The name of the middleware. */
  readonly name: string
  /** How many wrong ones one caller has. */
  readonly max: number
  /** What says whose account it is, as it was typed. */
  readonly account: string | undefined
  readonly address: string | undefined
}

/** From the first guess on; then they count from zero again. */
const windowMs = 15 * 60 * 1000
/** So many callers' worth of guesses are taken of one address, and at one account. */
const callers = 10
/** How long someone who signed in is known for that. */
const knownMs = 90 * 24 * 60 * 60 * 1000

interface Counted {
  readonly count: number
  readonly until: number
}

interface Counter {
  readonly cell: Cell<Counted>
  readonly max: number
}

export function attemptsOf({ people, sessionId, now }: OpenFlow, options: AttemptsOptions): Attempts {
  const { name, max, address } = options
  const account = options.account?.normalize('NFKC').trim().toLowerCase()
  const counter = (kind: string, id: string, max: number): Counter => ({
    cell: new Cell(people, `attempts/${digest([name, kind, id])}`),
    max,
  })
  const own = counter('caller', sessionId, max)
  const shared = [
    ...(account === undefined ? [] : [counter('account', account, max * callers)]),
    ...(address === undefined ? [] : [counter('address', address, max * callers)]),
  ]
  const known = new Cell<true>(people, `attempts/${digest([name, 'known', account ?? null, sessionId])}`)
  let taken: readonly Counter[] = []

  /** Counts one more, or one less. Gives how many are left. */
  const count = ({ cell, max: allowed }: Counter, change: 1 | -1): Promise<number> =>
    cell.update(found => {
      const { count: before, until } = found ?? { count: 0, until: now() + windowMs }
      const after = Math.max(0, before + change)
      return { value: { count: after, until }, expiresAt: until, result: allowed - after }
    })

  return {
    async take() {
      taken = (await known.get()) === true ? [own] : [own, ...shared]
      const [left = 0, ...others] = await Promise.all(taken.map(each => count(each, 1)))
      return others.some(rest => rest < 0) ? -1 : left
    },
    async succeeded() {
      await Promise.all(taken.map(each => count(each, -1)))
      await known.set(true, { expiresAt: now() + knownMs })
    },
  }
}

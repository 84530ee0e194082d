// A person's code brings an agent and an application together.
import { RpcError } from '@beckon/core/json-rpc'
import type { Clock } from 'beckon'
import { DialError } from '../wire/dial.js'
import type { AppSession } from './app-session.js'
import type { Apps } from './apps.js'
import type { Claimant } from './claim.js'
import { readCode } from './claim-code.js'
import type { Dialler } from './dialler.js'
import { LockOut } from './lock-out.js'

export interface ClaimByCodeOptions {
  readonly apps: Apps
  readonly dialler: Dialler
  readonly clock: Clock
  /** Looks for manifests now: the person may have just started the application. */
  readonly look: () => Promise<unknown>
}

export interface Claimed {
  readonly session: AppSession
  /** The names of applications of the same id that had to make way. */
  readonly replaced: readonly string[]
}

/** A code that cannot be redeemed, said so that a model can pass it on. */
export class ClaimError extends Error {
  override readonly name = 'ClaimError'
}

export class ClaimByCode {
  readonly #options: ClaimByCodeOptions
  readonly #lockOut: LockOut

  constructor(options: ClaimByCodeOptions) {
    this.#options = options
    this.#lockOut = new LockOut(options.clock)
  }

  async claim(given: unknown, by: Claimant): Promise<Claimed> {
    const { apps, dialler, look } = this.#options
    const principal = by.owner ?? undefined
    const code = readCode(given)
    if (code === undefined) throw new ClaimError('That is not a claim code. Claim codes look like AB3X-7K.')
    this.#checkLock(principal)
    await look()
    // Once more: others may have guessed meanwhile. From here on to where a guess is counted, nobody else has a turn.
    this.#checkLock(principal)
    const waiting = apps.withCode(code)
    const manifest = dialler.withCode(code)
    if (waiting !== undefined) return this.#succeed(principal, await this.#claimWaiting(waiting, by))
    if (manifest === undefined) {
      this.#lockOut.failed(principal)
      throw new ClaimError(
        'No application waits with that code. It may have expired: ask the person for the one shown now.',
      )
    }
    if (dialler.isBusy(manifest)) throw new ClaimError(`"${manifest.appName}" is being claimed already.`)
    const older = [...apps.claimed]
    try {
      const session = await dialler.claim(manifest, by)
      const replaced = older.filter(other => other.claim === undefined && other.offer.app.id === session.offer.app.id)
      return this.#succeed(principal, { session, replaced: replaced.map(({ offer }) => offer.app.name) })
    } catch (error) {
      throw new ClaimError(`"${manifest.appName}" could not be claimed: ${reasonOf(error)}`)
    }
  }

  #checkLock(principal: string | undefined): void {
    if (this.#lockOut.isLocked(principal))
      throw new ClaimError('Too many wrong codes. Wait a minute, and ask the person for the code that is shown now.')
  }

  async #claimWaiting(session: AppSession, by: Claimant): Promise<Claimed> {
    const { apps } = this.#options
    const replaced = await apps.claim(session, by, session.firstToken ?? '')
    apps.announce(session)
    return { session, replaced }
  }

  #succeed(principal: string | undefined, claimed: Claimed): Claimed {
    this.#lockOut.succeeded(principal)
    return claimed
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof DialError && error.status === 409) return 'another gateway holds it.'
  if (error instanceof DialError && error.status === 403) return 'it has another code by now.'
  if (error instanceof DialError && error.status === 429) return 'it was given too many wrong codes. Wait a minute.'
  if (error instanceof RpcError || error instanceof Error) return error.message
  return String(error)
}

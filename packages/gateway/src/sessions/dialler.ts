// Connects to applications that listen. One whose host made its code is dialled by anyone who brings that code, and again by
// ourselves as long as we hold its claim; any other is dialled as soon as it is found.
import type { Clock } from 'beckon'
import type { HostMintedClaim, Manifest } from '../discovery/manifest.js'
import type { FoundInstances } from '../discovery/read-instances.js'
import { dial } from '../wire/dial.js'
import type { AppSession } from './app-session.js'
import type { Apps } from './apps.js'
import type { Claimant } from './claim.js'
import { isSameSecret } from './claim-code.js'
import type { Claims } from './claims.js'

export interface DiallerOptions {
  readonly apps: Apps
  readonly claims: Claims
  readonly clock: Clock
  readonly log: (message: string) => void
}

/** A manifest that has a code of its own. */
export type Claimable = Manifest & { readonly claim: HostMintedClaim }

const firstPauseMs = 1_000
const maxPauseMs = 30_000

export class Dialler {
  readonly #options: DiallerOptions
  /** Instances that are being dialled, or are connected. */
  readonly #busy = new Set<string>()
  /** When one that could not be reached is tried again, and how long it waited last. */
  readonly #pauses = new Map<string, { readonly until: number; readonly ms: number }>()
  #refused: ReadonlyMap<string, string> = new Map()
  #claimable: readonly Claimable[] = []

  constructor(options: DiallerOptions) {
    this.#options = options
  }

  /** Manifests that someone with their code could claim. */
  get claimable(): Claimable[] {
    return this.#current.filter(({ claim }) => !claim.isBound)
  }

  /** Those whose code has not expired, and that are not connected here. */
  get #current(): Claimable[] {
    const now = this.#options.clock.now()
    return this.#claimable.filter(
      ({ claim: { expiresAt = Number.POSITIVE_INFINITY, sessionId } }) =>
        expiresAt > now && !this.#options.apps.get(sessionId)?.isConnected,
    )
  }

  /** What a look at the folder found. */
  async found({ manifests, refused }: FoundInstances): Promise<void> {
    for (const [name, why] of refused)
      if (this.#refused.get(name) !== why) this.#options.log(`The manifest ${name} does not count: ${why}.`)
    this.#refused = refused
    this.#claimable = manifests.filter(isClaimable)
    const ids = new Set(manifests.map(({ instanceId }) => instanceId))
    for (const id of this.#pauses.keys()) if (!ids.has(id)) this.#pauses.delete(id)
    await this.#options.claims.ready
    for (const manifest of manifests) {
      if (!isClaimable(manifest)) this.#dialOpen(manifest)
      else {
        const claim = this.#options.claims.resumable(manifest.claim.sessionId, manifest.claim.resumeToken)
        if (claim !== undefined && !this.#options.apps.get(claim.sessionId)?.isConnected)
          this.#attempt(manifest, () => this.#bind(manifest, claim))
      }
    }
  }

  /** The manifest with this code, bound or not. Every one is compared, however early one fits. */
  withCode(code: string): Claimable | undefined {
    return this.#current.filter(({ claim }) => isSameSecret(claim.code, code))[0]
  }

  /** Dials for someone who brought the code. Rejects with what kept the application from being claimed. */
  async claim(manifest: Claimable, by: Claimant): Promise<AppSession> {
    this.#busy.add(manifest.instanceId)
    try {
      return await this.#bind(manifest, by)
    } finally {
      this.#busy.delete(manifest.instanceId)
    }
  }

  isBusy({ instanceId }: Manifest): boolean {
    return this.#busy.has(instanceId)
  }

  #dialOpen(manifest: Manifest): void {
    const { instanceId, transport } = manifest
    const isKnown = [...this.#options.apps.claimed, ...this.#options.apps.pending].some(
      session => session.instanceId === instanceId && session.isConnected,
    )
    if (isKnown) return
    this.#attempt(manifest, async () => {
      const channel = await dial(transport, undefined)
      return this.#options.apps.connect(channel, { kind: 'open', instanceId })
    })
  }

  async #bind({ instanceId, transport, claim }: Claimable, by: Claimant): Promise<AppSession> {
    const channel = await dial(transport, claim.code)
    const bind = transport.kind === 'uds' ? claim.code : undefined
    return this.#options.apps.connect(channel, { kind: 'bound', instanceId, claim, by }, bind)
  }

  /** Tries, unless that is being done or was in vain a moment ago. */
  #attempt({ instanceId, appName }: Manifest, connect: () => Promise<unknown>): void {
    const now = this.#options.clock.now()
    const pause = this.#pauses.get(instanceId)
    if (this.#busy.has(instanceId) || (pause !== undefined && pause.until > now)) return
    this.#busy.add(instanceId)
    connect()
      .then(
        () => this.#pauses.delete(instanceId),
        error => {
          const ms = Math.min((pause?.ms ?? firstPauseMs / 2) * 2, maxPauseMs)
          this.#pauses.set(instanceId, { until: this.#options.clock.now() + ms, ms })
          if (pause === undefined) this.#options.log(`"${appName}" was found and not reached: ${error.message}`)
        },
      )
      .finally(() => this.#busy.delete(instanceId))
  }
}

function isClaimable(manifest: Manifest): manifest is Claimable {
  return manifest.claim !== undefined
}

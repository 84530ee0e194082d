// An app that listens: its claim, its manifest and the one gateway that may be connected.
//
// A code that was claimed is spent: the manifest gets another one that nobody was told, for the same session, and with
// that a gateway which says so comes back after a restart of either side. When it does not, and at once for a gateway that never
// would, the new code is shown, and anyone who is told it can claim the app anew.

import { rmSync } from 'node:fs'
import { SerialQueue } from '@beckon/core'
import type { Agent } from '../app/context.js'
import type { Offer } from '../app/offer.js'
import type { Channel } from '../protocol/channel.js'
import { Session } from '../session/session.js'
import type { Welcome } from '../session/welcome.js'
import { atExit } from './at-exit.js'
import { Authorizer, type Refusal } from './authorizer.js'
import { type Claim, claimLifeMs, mintClaim, renewEveryMs } from './claim.js'
import type { Acceptor, Address, Receiver } from './endpoint.js'
import { type Manifest, manifestPath } from './manifest.js'
import { type Remembered, remember } from './memory.js'
import { writePrivately } from './private-file.js'

export interface HostOptions {
  readonly home: string
  readonly instanceId: string
  /** The claim of the run before. */
  readonly known: Remembered | undefined
  readonly onClaimCode: (code: string) => void
  readonly onClaimed: (agent: Agent) => void
}

/** How long a gateway that had claimed the app may take to come back, before people are asked for it. */
const graceMs = 30_000
/** How long a gateway may take to answer the hello. */
const helloMs = 30_000
const failed = 1011

export class Host implements Acceptor {
  readonly #offer: Offer
  readonly #options: HostOptions
  readonly #authorizer: Authorizer
  #claim: Claim
  #manifest: Omit<Manifest, 'hostMintedClaim'> | undefined
  #channel: Channel | undefined
  /** Of the gateway that claimed the app. */
  #comesBack: boolean
  readonly #writes = new SerialQueue()
  #stopRenewing = () => {}
  #stopWaiting = () => {}
  #stopAtExit = () => {}

  constructor(offer: Offer, options: HostOptions) {
    this.#offer = offer
    this.#options = options
    this.#authorizer = new Authorizer(offer.clock)
    this.#claim = mintClaim(offer.clock.now(), options.known)
    this.#comesBack = options.known?.comesBack ?? false
  }

  get manifestPath(): string {
    return manifestPath(this.#options.home, this.#options.instanceId)
  }

  get claimCode(): string {
    return this.#claim.code
  }

  /** Lets gateways find the app. */
  async announce(transport: Address): Promise<void> {
    const { clock, identity } = this.#offer
    const { instanceId, known, onClaimCode } = this.#options
    this.#manifest = {
      version: 2,
      instanceId,
      appName: identity.name,
      addedAt: clock.now(),
      pid: process.pid,
      transport,
      helloHandledByHost: true,
    }
    this.#stopAtExit = atExit(() => rmSync(this.manifestPath, { force: true }))
    this.#renewLater()
    const written = this.#write()
    // Before anyone can have found the manifest: anyone who comes then stops the wait.
    if (known !== undefined) {
      this.#remember(known.boundAgent)
      this.#waitForGateway()
    }
    await written
    if (known === undefined) onClaimCode(this.#claim.code)
  }

  check(code: string | undefined): Refusal | undefined {
    return this.#authorizer.check(code, this.#claim, this.#channel !== undefined)
  }

  accept(channel: Channel): Receiver {
    this.#channel = channel
    this.#stopWaiting()
    let isClaimed = false
    const session = new Session(this.#offer, channel, {
      claimed: agent => {
        // Gateways repeat themselves.
        if (isClaimed) return
        isClaimed = true
        this.#claimed(agent)
      },
    })
    const giveUp = (): void => channel.close(failed, 'The hello was not answered.')
    const stopTimer = this.#offer.clock.after(helloMs, giveUp)
    session
      .open()
      .then(welcome => this.#welcomed(welcome), giveUp)
      .finally(stopTimer)
    return {
      receive: frame => session.receive(frame),
      end: () => {
        stopTimer()
        session.end()
        this.#channel = undefined
        if (this.#manifest !== undefined && this.#claim.boundAgent !== null) this.#waitForGateway()
      },
    }
  }

  /** Nobody finds the app any more. */
  async close(): Promise<void> {
    this.#manifest = undefined
    this.#stopRenewing()
    this.#stopWaiting()
    this.#stopAtExit()
    await this.#writes.settled()
    rmSync(this.manifestPath, { force: true })
  }

  #claimed(agent: Agent): void {
    this.#change(mintClaim(this.#offer.clock.now(), { ...this.#claim, boundAgent: agent }))
    this.#remember(agent)
    this.#options.onClaimed(agent)
  }

  /** A gateway may give the session another token, and says whether it comes back. */
  #welcomed({ resumeToken = this.#claim.resumeToken, comesBack }: Welcome): void {
    const isNews = comesBack !== this.#comesBack || resumeToken !== this.#claim.resumeToken
    this.#comesBack = comesBack
    if (resumeToken !== this.#claim.resumeToken) this.#change({ ...this.#claim, resumeToken })
    // It may have been claimed in the same breath.
    if (isNews && this.#claim.boundAgent !== null) this.#remember(this.#claim.boundAgent)
  }

  #waitForGateway(): void {
    this.#stopWaiting()
    const showCode = () => {
      this.#change({ ...this.#claim, boundAgent: null })
      this.#options.onClaimCode(this.#claim.code)
    }
    if (this.#comesBack) this.#stopWaiting = this.#offer.clock.after(graceMs, showCode)
    else showCode()
  }

  #renewLater(): void {
    const { clock } = this.#offer
    this.#stopRenewing = clock.after(renewEveryMs, () => {
      this.#change({ ...this.#claim, expiresAt: clock.now() + claimLifeMs })
      this.#renewLater()
    })
  }

  #change(claim: Claim): void {
    this.#claim = claim
    // A disk that takes no more costs the claim at the next start, and not the app now.
    this.#write().catch(() => {})
  }

  #write(): Promise<void> {
    return this.#writes.run(async () => {
      if (this.#manifest === undefined) return
      await writePrivately(this.manifestPath, { ...this.#manifest, hostMintedClaim: this.#claim })
    })
  }

  #remember(boundAgent: Agent): void {
    const { home, instanceId } = this.#options
    const { sessionId, resumeToken } = this.#claim
    const claim = { instanceId, sessionId, resumeToken, boundAgent, comesBack: this.#comesBack }
    this.#writes.run(() => remember(home, this.#offer.identity.id, claim)).catch(() => {})
  }
}

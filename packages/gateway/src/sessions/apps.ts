// Every application that is connected, or was and may come back.
import type { Clock } from 'beckon'
import { AppGoneError } from '../wire/app-peer.js'
import type { Channel } from '../wire/channel.js'
import type { Offer } from '../wire/offer.js'
import { AppLink, type Welcome } from './app-link.js'
import { AppSession, replaced } from './app-session.js'
import type { Claimant, Owner } from './claim.js'
import { hashSecret, isSameSecret } from './claim-code.js'
import type { Claims } from './claims.js'
import { followResources } from './follow-resources.js'
import { type Admission, Handshake } from './handshake.js'

export interface AppsOptions {
  readonly clock: Clock
  readonly claims: Claims
  readonly log: (message: string) => void
  /** What is offered, to whom, or by whom has changed. */
  readonly onChanged: () => void
  readonly onResourceUpdated: (session: AppSession, name: string) => void
  /** An application that is claimed went away: it may have left word of where it is now. */
  readonly onAway: () => void
}

/** How long a connection may take to say hello. */
const helloMs = 10_000
/** How many connections may be there that nobody has claimed. */
const maxUnclaimed = 100
const goingAway = 1001
const policyViolation = 1008
const tryAgainLater = 1013

export class Apps {
  readonly #options: AppsOptions
  readonly #handshake: Handshake
  readonly #sessions = new Map<string, AppSession>()
  readonly #links = new Set<AppLink>()
  #isClosed = false

  constructor(options: AppsOptions) {
    this.#options = options
    this.#handshake = new Handshake({ apps: this, claims: options.claims, log: options.log })
  }

  /** Those that are claimed, connected or not. */
  get claimed(): AppSession[] {
    return [...this.#sessions.values()].filter(session => session.claim !== undefined)
  }

  /** Those that wait for someone with their code. */
  get pending(): AppSession[] {
    return [...this.#sessions.values()].filter(session => session.claim === undefined)
  }

  get(sessionId: string): AppSession | undefined {
    return this.#sessions.get(sessionId)
  }

  /** The session of this id, with what it offers now; made where there is none. */
  open(options: { id: string; isHosted: boolean; instanceId: string | undefined; offer: Offer }): AppSession {
    const session = this.#sessions.get(options.id) ?? new AppSession(options)
    session.offer = options.offer
    this.#sessions.set(session.id, session)
    return session
  }

  /** A session that nobody comes back to. */
  forget(session: AppSession): void {
    session.claim = undefined
    session.endInvocations(new AppGoneError('it restarted'))
    this.#sessions.delete(session.id)
    this.#options.onChanged()
  }

  /** The application that an owner has claimed under an id. */
  find(owner: Owner, appId: string): AppSession | undefined {
    return this.claimed.find(({ claim, offer }) => claim?.owner === owner && offer.app.id === appId)
  }

  /** The session that waits for this code. Every code is compared, however early one fits. */
  withCode(code: string): AppSession | undefined {
    return this.pending.filter(session => session.code !== undefined && isSameSecret(session.code, code))[0]
  }

  /** Takes a connection. Resolves once it belongs to a session, and rejects when it never will. */
  connect(channel: Channel, admission: Admission, bind?: string): Promise<AppSession> {
    return new Promise((resolve, reject) => {
      const welcomed = (welcome: Welcome): Welcome => {
        stopTimer()
        const after = (): void => {
          welcome.after()
          resolve(welcome.session)
        }
        return { ...welcome, after }
      }
      const link = new AppLink(channel, {
        hello: async (from, offer) => welcomed(await this.#handshake.hello(from, offer, admission)),
        resume: async (from, offer, params) => welcomed(await this.#handshake.resume(from, offer, params)),
        offerChanged: session => this.#offerChanged(session),
        resourceUpdated: this.#options.onResourceUpdated,
        closed: (from, why) => {
          stopTimer()
          reject(new AppGoneError(why))
          this.#closed(from, why)
        },
      })
      const stopTimer = this.#options.clock.after(helloMs, () => link.peer.close(policyViolation, 'no hello came'))
      this.#links.add(link)
      link.peer.start()
      if (this.#isClosed) link.peer.close(goingAway, 'the gateway goes away')
      if (admission.kind === 'open' && this.#unclaimed > maxUnclaimed)
        link.peer.close(tryAgainLater, 'too many applications wait to be claimed')
      if (bind !== undefined)
        link.peer.request('tesseron/bind', { code: bind }).catch((error: Error) => {
          reject(error)
          link.peer.close(policyViolation, 'refused')
        })
    })
  }

  /** Makes a session its claimant's. Resolves, once that is kept, to the names of what it took the place of. */
  async claim(session: AppSession, { owner, agent, capabilities }: Claimant, token: string): Promise<string[]> {
    const { claims, clock } = this.#options
    const { id: appId, name: appName } = session.offer.app
    const older = this.claimed.filter(
      other => other !== session && other.claim?.owner === owner && other.offer.app.id === appId,
    )
    const tokenHash = hashSecret(token)
    const claimedAt = session.claim?.claimedAt ?? clock.now()
    session.code = undefined
    session.claim = { sessionId: session.id, appId, appName, owner, tokenHash, claimedAt, agent, capabilities }
    for (const other of older) {
      this.forget(other)
      other.disconnect(replaced, 'replaced by a newer application of this id')
    }
    await claims.ready
    for (const { sessionId } of claims.of(owner, appId)) if (sessionId !== session.id) await claims.delete(sessionId)
    await claims.set(session.claim)
    return older.map(other => other.offer.app.name)
  }

  /** The application learns of its claim, and is offered from then on. */
  announce(session: AppSession): void {
    const { claim } = session
    if (claim === undefined || !session.isConnected) return
    session.notifyClaimed(claim.agent, claim.capabilities)
    this.#options.log(`"${claim.appName}" (${claim.appId}) works for ${claim.agent.name}.`)
    followResources(session)
    this.#options.onChanged()
  }

  close(): void {
    this.#isClosed = true
    for (const link of this.#links) link.peer.close(goingAway, 'the gateway goes away')
  }

  get #unclaimed(): number {
    return Array.from(this.#links).filter(link => link.session?.claim === undefined).length
  }

  #offerChanged(session: AppSession): void {
    if (session.claim === undefined) return
    followResources(session)
    this.#options.onChanged()
  }

  /** What ran there has ended: each call has been told by its own request. */
  #closed(link: AppLink, why: string): void {
    this.#links.delete(link)
    const { session } = link
    if (session === undefined || !session.detach(link.peer, why)) return
    this.#options.onChanged()
    if (session.claim === undefined) {
      this.#sessions.delete(session.id)
      return
    }
    this.#options.log(`"${session.offer.app.name}" went away (${why}). Its claim holds.`)
    this.#options.onAway()
  }
}

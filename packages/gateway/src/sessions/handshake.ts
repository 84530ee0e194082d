// Hello and resume: to which session a connection belongs.

import { randomBytes, randomUUID } from 'node:crypto'
import { type Params, RpcError } from '@beckon/core/json-rpc'
import type { HostMintedClaim } from '../discovery/manifest.js'
import { type Offer, protocolVersion } from '../wire/offer.js'
import { protocolCodes } from '../wire/protocol-codes.js'
import { type Agent, type AgentCapabilities, carried, nobody, sharedCapabilities } from './agent.js'
import type { AppLink, Welcome } from './app-link.js'
import type { AppSession } from './app-session.js'
import type { Apps } from './apps.js'
import type { Claim, Claimant } from './claim.js'
import { hashSecret, mintCode } from './claim-code.js'
import type { Claims } from './claims.js'

/** How a connection came about. */
export type Admission =
  /** The gateway makes the code, and anyone who has it may claim. */
  | { readonly kind: 'open'; readonly instanceId?: string }
  /** The host made the code, and was dialled for this claimant. */
  | { readonly kind: 'bound'; readonly instanceId: string; readonly claim: HostMintedClaim; readonly by: Claimant }

/** Tells an app that listens that no new code is needed after a restart: this gateway comes back by itself. */
const comesBackField = 'beckon/comesBack'

export interface HandshakeOptions {
  readonly apps: Apps
  readonly claims: Claims
  readonly log: (message: string) => void
}

export class Handshake {
  readonly #options: HandshakeOptions

  constructor(options: HandshakeOptions) {
    this.#options = options
  }

  hello(link: AppLink, offer: Offer, admission: Admission): Promise<Welcome> {
    return admission.kind === 'bound'
      ? this.#fromHost(offer, admission)
      : this.#fromApp(link, offer, admission.instanceId)
  }

  /** A session that was claimed before. Its token is good once: the reply has the next. */
  async resume(link: AppLink, offer: Offer, { sessionId, resumeToken }: Params): Promise<Welcome> {
    const { apps, claims } = this.#options
    await claims.ready
    if (typeof sessionId !== 'string' || typeof resumeToken !== 'string') throw resumeFailed()
    // A token that was used at another gateway must not be good here. Where nothing is kept, what is here is all.
    await claims.reload().catch(() => {})
    const claim = claims.resumable(sessionId, resumeToken)
    if (claim === undefined || claim.appId !== offer.app.id) throw resumeFailed()
    const session = apps.open({ id: sessionId, isHosted: false, instanceId: undefined, offer })
    const next = newToken()
    const rotated = { ...claim, tokenHash: hashSecret(next), previousTokenHash: hashSecret(resumeToken) }
    session.claim = rotated
    await claims.set(rotated)
    const { agent, capabilities } = claim
    return {
      session,
      reply: welcome(session, { agent, capabilities, resumeToken: next }),
      after: () => {
        // A reply that never arrives must not cost the application its claim.
        link.peer.afterDelivery(() => this.#confirmRotation(session, rotated))
        apps.announce(session)
      },
    }
  }

  async #fromHost(offer: Offer, { claim, by, instanceId }: Extract<Admission, { kind: 'bound' }>): Promise<Welcome> {
    const { apps, claims, log } = this.#options
    const { sessionId: id, resumeToken } = claim
    const known = apps.get(id)?.claim ?? claims.resumable(id, resumeToken)
    // A person let in the application that they saw, and not whatever it says to be later.
    if (known !== undefined && known.appId !== offer.app.id)
      throw new RpcError(protocolCodes.unauthorized, `This session was claimed for "${known.appId}", and stays that.`)
    const session = apps.open({ id, isHosted: true, instanceId, offer })
    const replaced = await apps.claim(session, by, resumeToken)
    if (replaced.length > 0)
      log(`${replaced.join(', ')} (${offer.app.id}) made way for a newer application of this id.`)
    const { agent, capabilities } = by
    return {
      session,
      reply: { ...welcome(session, { agent, capabilities, resumeToken }), [comesBackField]: true },
      after: () => apps.announce(session),
    }
  }

  async #fromApp(link: AppLink, offer: Offer, instanceId: string | undefined): Promise<Welcome> {
    const { apps } = this.#options
    // One that says hello again begins anew.
    if (link.session !== undefined) apps.forget(link.session)
    const session = apps.open({ id: `s_${randomUUID()}`, isHosted: false, instanceId, offer })
    const claimCode = this.#freshCode()
    const resumeToken = newToken()
    session.code = claimCode
    session.firstToken = resumeToken
    return {
      session,
      reply: welcome(session, { agent: nobody, capabilities: carried, claimCode, resumeToken }),
      after: () => {},
    }
  }

  #confirmRotation(session: AppSession, rotated: Claim): void {
    if (session.claim !== rotated) return
    const { previousTokenHash: _, ...claim } = rotated
    session.claim = claim
    this.#options.claims.set(claim)
  }

  #freshCode(): string {
    const code = mintCode()
    return this.#options.apps.withCode(code) === undefined ? code : this.#freshCode()
  }
}

function welcome(
  session: AppSession,
  given: { agent: Agent; capabilities: AgentCapabilities; resumeToken: string; claimCode?: string },
): Params {
  const capabilities = sharedCapabilities(given.capabilities, session.offer.capabilities)
  return { sessionId: session.id, protocolVersion, ...given, capabilities }
}

function newToken(): string {
  return randomBytes(24).toString('base64url')
}

function resumeFailed(): RpcError {
  return new RpcError(protocolCodes.resumeFailed, 'There is no such session to resume: say hello, and have it claimed.')
}

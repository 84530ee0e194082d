import { isRecord } from '@beckon/core/json-rpc'
import type { Agent, AgentCapabilities } from './agent.js'

/** Whose an application is: a principal's, or the gateway's own (null) where callers are anonymous. */
export type Owner = string | null

/** Whose applications a caller works with. Where callers are anonymous, everyone works with the gateway's own. */
export function ownerOf({ principal }: { readonly principal: string | undefined }): Owner {
  return principal ?? null
}

/** Who claims an application. */
export interface Claimant {
  readonly owner: Owner
  readonly agent: Agent
  readonly capabilities: AgentCapabilities
}

/** A claimed session, as it is kept. */
export interface Claim extends Claimant {
  readonly sessionId: string
  readonly appId: string
  readonly appName: string
  /** The hash of the token that the application resumes with. */
  readonly tokenHash: string
  /** The one before, until the application is known to have the new one. */
  readonly previousTokenHash?: string
  readonly claimedAt: number
}

/** Whether something that was read is a claim that we wrote. */
export function isClaim(value: unknown): value is Claim {
  return (
    isRecord(value) &&
    ['sessionId', 'appId', 'appName', 'tokenHash'].every(key => typeof value[key] === 'string') &&
    (value.owner === null || typeof value.owner === 'string') &&
    typeof value.claimedAt === 'number' &&
    isRecord(value.agent) &&
    isRecord(value.capabilities)
  )
}

import type { Audience, Policy } from '../asks/policy.js'
import { subjectOf } from '../rest/asks/ask-view.js'
import type { Happening } from '../rest/asks/happening.js'
import type { Hook } from './hook.js'

/** What a webhook says. Never what was answered, nor why it was declined. */
export interface WebhookMessage {
  readonly id: string
  readonly event: string
  /** Milliseconds. */
  readonly at: number
  readonly session: string
  readonly server?: string
  readonly ask: {
    readonly id: string
    readonly kind?: string
    readonly tool?: string
    readonly message?: string
    /** The page that the ask is about. */
    readonly url?: string
    /** Where a person answers it. */
    readonly link?: string
    readonly expiresAt?: number
  }
  readonly response?: string
  /** Who answered. */
  readonly by?: string
}

export function messageOf(id: string, happening: Happening, linkTo?: LinkTo): WebhookMessage {
  const { event, at, session, ask, known, ended } = happening
  const link = event === 'asked' ? linkTo?.(session, ask) : undefined
  const { response, by } = ended ?? {}
  return {
    id,
    event,
    at,
    session,
    ...(known && { server: known.server }),
    ask: { id: ask, ...(known && aboutOf(known)), ...(link !== undefined && { link }) },
    ...(response !== undefined && { response }),
    ...(by !== undefined && { by }),
  }
}

export type LinkTo = (session: string, ask: string) => string

/** What a hook is told: when others are asked instead of those that it stands for, the ask was withdrawn. */
export function toldTo({ events, audience }: Hook, happening: Happening): Happening | undefined {
  const { policy, before } = happening
  const isFor = audience === undefined || (policy !== undefined && meet(policy, audience))
  const wasFor = audience !== undefined && before !== undefined && meet(before, audience)
  if (isFor === wasFor) return undefined
  const told: Happening = isFor ? happening : { ...happening, event: 'withdrawn', ended: { event: 'withdrawn' } }
  return events.has(told.event) ? told : undefined
}

function aboutOf(known: NonNullable<Happening['known']>): Omit<WebhookMessage['ask'], 'id' | 'link'> {
  const { kind, tool, message, url, expiresAt } = subjectOf(known)
  // A page about who someone is, is for them alone.
  const isShown = url !== undefined && known.policy.owner === undefined
  return { kind, ...(tool !== undefined && { tool }), message, ...(isShown && { url }), expiresAt }
}

/** Whether someone of an audience may answer. */
function meet({ owner, audience: wanted }: Policy, { principals = [], groups = [] }: Audience): boolean {
  if (owner !== undefined) return principals.includes(owner)
  if (wanted === undefined) return true
  const isWanted = principals.some(principal => wanted.principals?.includes(principal))
  return isWanted || groups.some(group => wanted.groups?.includes(group))
}

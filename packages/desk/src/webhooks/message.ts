import type { OutboxEntry } from './outbox.js'
import type { AboutAsk, ToldAsk } from './told-ask.js'

/** What a webhook says. Never what was answered, nor why it was declined. */
export interface WebhookMessage {
  /** The same again when it is delivered again. */
  readonly id: string
  readonly event: string
  /** Milliseconds. */
  readonly at: number
  readonly session: string
  readonly server?: string
  readonly ask: Partial<AboutAsk> & {
    readonly id: string
    /** Where a person answers it. */
    readonly link?: string
  }
  readonly response?: string
  /** Who answered. */
  readonly by?: string
  /** How the call ended, of one that is reported. Not its result. */
  readonly status?: 'done' | 'failed'
}

export interface Told {
  readonly entry: OutboxEntry
  /** Absent where its session is gone, and nothing was kept of it. */
  readonly ask: ToldAsk | undefined
  readonly at: number
  readonly linkTo: LinkTo | undefined
}

export type LinkTo = (session: string, ask: string) => string

export function messageOf(id: string, { entry, ask, at, linkTo }: Told): WebhookMessage {
  const event = entry.event === 'joined' ? 'asked' : entry.event === 'left' ? 'withdrawn' : entry.event
  const askId = ask?.id ?? entry.ask ?? entry.instance
  const link = event === 'asked' ? linkTo?.(entry.session, askId) : undefined
  const { response, by } = (event === 'answered' ? ask?.ended : undefined) ?? {}
  return {
    id,
    event,
    at,
    session: entry.session,
    ...(ask && { server: ask.server }),
    ask: { id: askId, ...ask?.about, ...(link !== undefined && { link }) },
    ...(response !== undefined && { response }),
    ...(by !== undefined && { by }),
    ...(event === 'reported' && ask?.status && { status: ask.status }),
  }
}

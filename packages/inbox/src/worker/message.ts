// What a desk says in a push message. The desk has the same shape in `notify/push/payload.ts`.

import { isRecord } from '@beckon/core/json-rpc'

export interface AskMessage {
  readonly kind: 'ask'
  readonly tag: string
  readonly session: string
  readonly ask: string
  readonly path: string
  readonly title: string
  readonly body: string
  readonly askedAt: number
  readonly isReminder: boolean
  readonly isAnswerable: boolean
}

export type PushMessage = AskMessage | { readonly kind: 'ended'; readonly tag: string } | { readonly kind: 'test' }

/** What a push message says; undefined for what no desk of this version sends. */
export function readMessage(text: string): PushMessage | undefined {
  const said = parsed(text)
  const { kind, tag } = said
  if (kind === 'test') return { kind }
  if (typeof tag !== 'string') return undefined
  if (kind === 'ended') return { kind, tag }
  return isAsk(said) ? said : undefined
}

/** What a notification has with it, as it was shown. */
export function askOf(data: unknown): AskMessage | undefined {
  const said = isRecord(data) ? data : {}
  return isAsk(said) ? said : undefined
}

type Said = Readonly<Record<string, unknown>>

function isAsk(said: Said): said is Said & AskMessage {
  const texts = [said.tag, said.session, said.ask, said.path, said.title, said.body]
  return said.kind === 'ask' && typeof said.askedAt === 'number' && texts.every(text => typeof text === 'string')
}

function parsed(text: string): Said {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

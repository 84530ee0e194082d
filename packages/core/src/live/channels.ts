import { type Dialect, dialectTraits } from './dialects.js'

/** The channels of a session in the live protocol. */
export interface Channels {
  /** Of the session itself, in every dialect. */
  readonly session: string
  /** Of its chat, from 0.6 on. */
  readonly chat: string
}

export function channelsOf(id: string): Channels {
  return { session: sessionPrefix + id, chat: chatPrefix + id }
}

export const rootChannel = 'ahp-root://'
/** Ours: the asks that someone may see, over all sessions, in every dialect. */
export const asksChannel = 'beckon-asks://'

/** A channel's name, taken apart. */
export type Channel =
  | { readonly kind: 'root' }
  | { readonly kind: 'asks' }
  | { readonly kind: 'session' | 'chat'; readonly session: string }

const sessionPrefix = 'ahp-session:/'
const chatPrefix = 'ahp-chat:/'
/** No session has a longer name, and none is looked for. */
const maxNameChars = 300

/** What a name stands for in a dialect; undefined for what it does not have. Whether there is such a session is not asked. */
export function parseChannel(name: unknown, dialect: Dialect): Channel | undefined {
  if (typeof name !== 'string' || name.length > maxNameChars) return undefined
  if (name === rootChannel) return { kind: 'root' }
  if (name === asksChannel) return { kind: 'asks' }
  if (name.startsWith(sessionPrefix)) return { kind: 'session', session: name.slice(sessionPrefix.length) }
  if (dialectTraits[dialect].hasChats && name.startsWith(chatPrefix))
    return { kind: 'chat', session: name.slice(chatPrefix.length) }
  return undefined
}

import type { Dialect } from '../asks/gate.js'

export const rootChannel = 'ahp-root://'
/** Ours: every ask that someone may see, over all sessions, in both dialects. */
export const asksChannel = 'beckon-asks://'

/** A channel's name, taken apart. */
export type Channel =
  | { readonly kind: 'root' }
  | { readonly kind: 'asks' }
  | { readonly kind: 'session' | 'chat'; readonly session: string }

const sessionPrefix = 'ahp-session:/'
const chatPrefix = 'ahp-chat:/'

/** What a name stands for in a dialect; undefined for what it does not have. Whether there is such a session is not asked. */
export function parseChannel(name: unknown, dialect: Dialect): Channel | undefined {
  if (typeof name !== 'string') return undefined
  if (name === rootChannel) return { kind: 'root' }
  if (name === asksChannel) return { kind: 'asks' }
  if (name.startsWith(sessionPrefix)) return { kind: 'session', session: name.slice(sessionPrefix.length) }
  if (dialect === 'later' && name.startsWith(chatPrefix))
    return { kind: 'chat', session: name.slice(chatPrefix.length) }
  return undefined
}

/** Whether only the later dialect has a channel of this name. */
export function isLaterOnly(name: string): boolean {
  return name.startsWith(chatPrefix)
}

/** The channels of a session in the live protocol. */
export interface Channels {
  /** Of the session itself, in both dialects. */
  readonly session: string
  /** Of its chat, in the later dialect. */
  readonly chat: string
}

export function channelsOf(id: string): Channels {
  return { session: `ahp-session:/${id}`, chat: `ahp-chat:/${id}` }
}

/** Who may answer: named principals, groups, or anyone on this desk. */
export interface Audience {
  readonly principals?: readonly string[] | undefined
  readonly groups?: readonly string[] | undefined
}

/** People who stand in for others, by their names, and for whom. */
export type StandIns = Readonly<Record<string, string>>

/** Who sees a session besides its owner and those whom it asks. */
export type SessionAudience = Audience | 'anyone'

/** What holds for an ask beside its questions. It is kept with the ask, and never sent to a client. */
export interface Policy {
  /** Absent: anyone on this desk. */
  readonly audience?: Audience
  /** Those of the audience who were added for someone who is away: with that person they are one of those who accept. */
  readonly standIns?: StandIns
  /** Those who handed it to someone else: they are asked no more, whatever group they are in. */
  readonly handedOn?: readonly string[]
  /** How many different people have to accept. */
  readonly quorum?: number
  /** A decline does not end a quorum. */
  readonly outlastsDecline?: boolean
  /** Who asked for this, and so is none of those who have to accept. */
  readonly requester?: string
  /** Milliseconds. */
  readonly expiresAt: number
  /** When to remind those who may answer, in milliseconds. */
  readonly remindAt?: readonly number[]
  /** When to ask others instead, in milliseconds. */
  readonly escalation?: { readonly at: number; readonly audience: Audience }
  /** `verified`: an accept counts only with a passkey of who gives it. `present`: only from a person, and no rule gives it. */
  readonly person?: 'present' | 'verified'
  /** How it ends is signed. */
  readonly receipt?: true
  /** About someone's own authorization: nobody else may answer it, whatever else is said. */
  readonly owner?: string
}

import type { Entry } from '../call/journal.js'
import type { Keeper } from '../call/run-step.js'

/** A round that someone wants to answer, or to know of. */
export interface RoundClaim {
  readonly call: string
  readonly round: number
  /** Of the answers: the same ones again are a repeat. Without any, the round stays open unless someone has taken it. */
  readonly answers: string | undefined
  /** What the answers add to the journal, and what has expired beside them. */
  readonly entries: readonly Entry[]
  /** Where the call's record stands, for someone who knows; a claim that is right needs no look at the record. */
  readonly at: number | undefined
  /** Until when the call can go on from here. */
  readonly expiresAt: number
}

/** The work on one round, by whoever claimed it. */
export interface Work<R> extends Keeper {
  /** Where the call's record stands. */
  readonly at: number
  /**
   * Writes the reply down, for repeats, and until when the call can go on from it. False when someone else has taken the
   * call over: then that one's reply counts, and not this.
   */
  settle(reply: R, expiresAt: number): Promise<boolean> | undefined
  /** The client went away in the middle: the round can be claimed again, and finished steps stay. */
  reopen(): Promise<void>
}

/** Work to be done, with what the ledger has of the journal. */
interface Taken<R> {
  readonly work: Work<R>
  readonly journal: readonly Entry[]
}

/**
 * Mine, to be worked on; open, since nobody has answered it; or answered before, with this reply. `isMoved` when something
 * was written after where the claim said that the record stands: whoever waited there is behind, and the journal says what
 * it missed.
 */
export type Claimed<R> =
  | ({ readonly kind: 'mine'; readonly isMoved: boolean } & Taken<R>)
  | ({ readonly kind: 'open' } & Taken<R>)
  | { readonly kind: 'repeat'; readonly reply: R }

/**
 * Remembers which rounds were answered, with what, and what they were answered with, so that each is answered once.
 * Also keeps the journal, where it can; else the state carries it.
 */
export interface Ledger<R> {
  /** Whether the journal is kept here. */
  readonly keepsJournal: boolean
  /** Opens the record of a new call. */
  begin(call: string, expiresAt: number): Work<R>
  /**
   * Claims a round. While someone else works on the same answers, waits for that reply; without answers, on any.
   * @throws StateRejectedError when other answers were given before
   */
  claim(claim: RoundClaim): Promise<Claimed<R>>
  /** Lets go of replies that are older. */
  forgetBefore(time: number): void
}

import type { SaidRefusal } from '../strings/said-refusal.js'

/** Why it was not confirmed, as the desk says it; without words, the person or their device turned away. */
export class NotConfirmed extends Error {
  readonly refusal: SaidRefusal | undefined

  constructor(refusal?: SaidRefusal) {
    super(refusal?.reason)
    this.refusal = refusal
  }
}

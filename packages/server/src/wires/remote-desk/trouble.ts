// Why asks get nowhere, for the operator of this server: the caller of a tool hears no more than that nobody could be asked, and with
// `wait: 'hold'` nothing at all for as long as the desk is away.
import type { Clock } from '../../runtime/clock.js'

/** A desk that is being started anew is none. */
const patientMs = 3_000

/** What is wrong with a desk elsewhere, each told once while it lasts. */
export interface DeskTrouble {
  /** It did not answer, or not as a desk that works: this is why. */
  away(why: string): void
  back(): void
  /** It does not know the token of this server; gives the words for that. */
  unknownToken(): string
}

export function deskTrouble(url: string, clock: Clock, tell: (error: Error) => void): DeskTrouble {
  const { host } = new URL(url)
  let awaySince: number | undefined
  let toldAway = false
  let toldToken = false
  return {
    away(why) {
      awaySince ??= clock.now()
      if (toldAway || clock.now() - awaySince < patientMs) return
      toldAway = true
      tell(new Error(`The desk at ${host} does not answer (${why}). What is asked there waits until it does.`))
    },
    back() {
      awaySince = undefined
      toldAway = false
    },
    unknownToken() {
      const words = `The desk at ${host} does not know the token of this server. Give the server the one that the desk has for it.`
      if (!toldToken) tell(new Error(words))
      toldToken = true
      return words
    },
  }
}

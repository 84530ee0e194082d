import { visible } from '@beckon/core'
import type { AskEnding } from '@beckon/core/asks'
import type { Strings } from '../strings/en.js'

/** What became of an ask, and through whom, in words. */
export function outcomeText(ending: AskEnding, principal: string | undefined, strings: Strings): string {
  const { response, reason } = ending
  const { outcome } = strings
  const who = whoEnded(ending, principal, strings)
  if (who === undefined || response === undefined) return reason === 'expired' ? outcome.expired : outcome.withdrawn
  return outcome[response](who)
}

/** Who or what answered; undefined where nobody did. */
export function whoEnded({ by, rule }: AskEnding, principal: string | undefined, strings: Strings): string | undefined {
  const person = by === undefined ? undefined : nameOf(by, principal, strings)
  return rule === undefined ? person : strings.byRule(`\u2068${visible(rule)}\u2069`, person)
}

/** Someone's name, isolated from the words around it. */
function nameOf(by: string, principal: string | undefined, strings: Strings): string {
  return by === principal ? strings.byYou : `\u2068${visible(by)}\u2069`
}

import { visible } from '@beckon/core'
import type { AskEnding } from '@beckon/core/asks'
import type { Strings } from '../strings/en.js'

/** What became of an ask, and through whom, in words. */
export function outcomeText(
  { response, by, reason }: AskEnding,
  principal: string | undefined,
  strings: Strings,
): string {
  const { outcome } = strings
  if (by === undefined || response === undefined) return reason === 'expired' ? outcome.expired : outcome.withdrawn
  return outcome[response](nameOf(by, principal, strings))
}

/** Someone's name, isolated from the words around it. */
export function nameOf(by: string, principal: string | undefined, strings: Strings): string {
  return by === principal ? strings.byYou : `\u2068${visible(by)}\u2069`
}

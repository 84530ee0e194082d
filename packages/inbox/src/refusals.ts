import type { AnyCoded } from '@beckon/core'
import { de } from './strings/de.js'
import { en } from './strings/en.js'
import { languageFor } from './strings/strings.js'

/** Why a desk refused something, in the language of the person who is told, where the inbox has it; else as it is. */
export function refusalIn(locale: string, { code, params }: AnyCoded, reason: string): string {
  return languageFor([locale], { en, de }).strings.refused({ code, params, reason })
}

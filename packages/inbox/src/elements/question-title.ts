import type { Question } from '@beckon/core'
import type { TemplateResult } from 'lit'
import type { Strings } from '../strings/en.js'
import { words } from './untrusted.js'

/** What a question is called. A bare value has no name of its own: what is asked says it all. */
export function questionTitle({ id, title, message }: Question, strings: Strings): TemplateResult | string {
  const said = title ?? message
  return id === 'value' && said === id ? strings.yourAnswer : words(said)
}

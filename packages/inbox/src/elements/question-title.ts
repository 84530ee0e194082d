import type { Question } from '@beckon/core'
import type { TemplateResult } from 'lit'
import { bareValue, nameInWords, titleOf } from '../fields/title.js'
import type { Strings } from '../strings/en.js'
import { words } from './untrusted.js'

/** What a question is called. A bare value has no name of its own: what is asked says it all. */
export function questionTitle(question: Question, strings: Strings): TemplateResult | string {
  const { text } = titleOf(question)
  return question.id === bareValue && text === nameInWords(bareValue) ? strings.yourAnswer : words(text)
}

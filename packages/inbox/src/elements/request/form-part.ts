import type { Question } from '@beckon/core'
import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { html, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { Entered } from '../../fields/entered.js'
import type { DeskClient } from '../../live/desk-client.js'
import type { Language } from '../../strings/strings.js'
import type { Conflict } from '../question/question.js'
import type { Answering } from './answering.js'

export interface FormPart {
  readonly ask: AskEntry
  readonly client: DeskClient
  readonly answering: Answering
  readonly language: Language
  readonly isDisabled: boolean
  /** Something was entered, left or taken over. */
  onChange(): void
}

/** The questions of an ask, with what this person enters and what others do meanwhile. */
export function formPart(part: FormPart): TemplateResult {
  const { ask, client, answering, language, isDisabled, onChange } = part
  return html`<form novalidate @submit=${(event: Event) => event.preventDefault()}>
    ${repeat(
      answering.questions,
      ({ id }) => id,
      question => html`<beckon-question
        .question=${question}
        .entered=${answering.entered(question)}
        .problem=${answering.problem(question)}
        .typing=${nameOf(client.typingIn(ask, question.id), part)}
        .conflict=${conflictIn(question, part)}
        .language=${language}
        .isDisabled=${isDisabled}
        @entered=${({ detail }: CustomEvent<Entered>) => {
          answering.enter(question, detail)
          onChange()
        }}
        @left=${() => {
          answering.leave(question)
          onChange()
        }}
        @take-theirs=${() => {
          answering.takeTheirs(question)
          onChange()
        }}
      ></beckon-question>`,
    )}
  </form>`
}

function conflictIn(question: Question, part: FormPart): Conflict | undefined {
  const entered = part.answering.conflict(question)
  const who = nameOf(part.client.changedBy(part.ask, question.id), part)
  return entered === undefined || who === undefined ? undefined : { who, entered }
}

/** Someone else, or this person on another device. */
function nameOf(who: string | undefined, { client, language }: FormPart): string | undefined {
  if (who === undefined) return undefined
  return who === client.principal ? language.strings.youElsewhere : `\u2068${visible(who)}\u2069`
}

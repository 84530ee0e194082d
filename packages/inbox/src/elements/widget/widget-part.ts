// An ask in the page of its widget, in the place of its form.
//
// Threat: the page is a server's own code, and would answer in the name of anyone who merely looks at it. So what it answers is entered,
// as if the person had typed it, and is sent with the inbox's own buttons alone. It moves no focus there either.
import type { Question } from '@beckon/core'
import { html, type TemplateResult } from 'lit'
import { enteredFrom } from '../../fields/entered.js'
import { widgetWords } from '../../strings/widget-words.js'
import { type FormPart, formPart } from '../request/form-part.js'
import { answerIn, type Content } from './content.js'
import { defineWidgetElement, type WidgetElement } from './widget.js'

export interface WidgetPart extends FormPart {
  /** Whether the page is shown, or did not work, or the person wants a plain form. */
  readonly shows: 'page' | 'failed' | 'form'
  /** Whether the page has said what to answer. */
  readonly isEntered: boolean
  /** The page has said what to answer: it can be sent. */
  entered(): void
  /** The page has said no: it is not sent, and this is what would be written beside it. */
  refused(reason: string): void
  /** From now on a form is shown. */
  leave(shows: 'failed' | 'form'): void
}

interface Answered {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content: Content
}

export function widgetPart(part: WidgetPart): TemplateResult {
  const { ask, client, language, isDisabled, shows, leave } = part
  const words = widgetWords(language.tag)
  if (shows !== 'page')
    return html`${shows === 'failed' ? html`<p class="note" role="status">${words.failed}</p>` : ''}${formPart(part)}`
  defineWidgetElement()
  return html`<beckon-widget
      .entry=${ask}
      .base=${client.url.replace(/^ws/, 'http')}
      .language=${language}
      .isOff=${isDisabled}
      .look=${(search: string) => client.findOptions(ask, search)}
      @answer=${({ currentTarget, detail }: CustomEvent<Answered>) => answer(part, currentTarget as WidgetElement, detail)}
      @draft=${({ detail }: CustomEvent<Content>) => share(part, detail)}
      @failed=${() => leave('failed')}
    ></beckon-widget>
    ${part.isEntered ? html`<p class="note" role="status">${words.entered}</p>` : ''}
    <p><button class="plain" ?disabled=${isDisabled} @click=${() => leave('form')}>${words.plainForm}</button></p>`
}

function answer(part: WidgetPart, element: WidgetElement, { action, content }: Answered): void {
  const { answering, language } = part
  const { 'beckon/reason': reason } = content
  if (action === 'decline') part.refused(typeof reason === 'string' ? reason : '')
  if (action !== 'accept') {
    element.askInAWhile()
    return
  }
  const unread = enter(part, content)
  const fits = unread.length === 0 && answering.problems().length === 0
  if (!fits) element.askInAWhile(widgetWords(language.tag).unfit)
  else {
    part.entered()
    element.askInAWhile()
  }
}

/** Enters what fits, and gives the questions whose answers no control could hold. */
function enter({ answering, onChange }: FormPart, content: Content): Question[] {
  const unread = answering.questions.filter(question => {
    const given = answerIn(question, content)
    if (given !== undefined) answering.enter(question, enteredFrom(question, given))
    return given === undefined
  })
  onChange()
  return unread
}

/** Shares what was entered, and gives way to what others enter. */
function share(part: FormPart, content: Content): void {
  enter(part, content)
  for (const question of part.answering.questions) part.answering.leave(question)
}

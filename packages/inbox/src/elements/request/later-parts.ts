// What an ask needs now and then, loaded when it does: most lead nowhere, few are talked about, and rules are made seldom.
import type { AskEntry } from '@beckon/core/asks'
import type { blocksIn } from '@beckon/core/blocks'
import { html, type LitElement, nothing, type ReactiveController, type TemplateResult } from 'lit'
import type { DeskClient } from '../../live/desk-client.js'
import type { Language } from '../../strings/strings.js'
import type { PeopleElement, PeopleForm } from '../people/people.js'
import type { WidgetPart } from '../widget/widget-part.js'
import type { answersPart } from './answers-part.js'
import type { FormPart } from './form-part.js'
import type { LinkPart } from './link-part.js'

export interface AskShown {
  readonly ask: AskEntry
  readonly client: DeskClient
  readonly language: Language
  /** Milliseconds. */
  readonly now: number
}

/** Something is shown beside the question, whether or not it can be read. */
function hasBlocks({ _meta }: AskEntry['request']): boolean {
  return _meta?.['beckon/show'] !== undefined
}

export class LaterParts implements ReactiveController {
  readonly #host: LitElement
  #linkPart: ((part: LinkPart) => TemplateResult) | undefined
  #formPart: ((part: FormPart) => TemplateResult) | undefined
  #answersPart: typeof answersPart | undefined
  /** Reads blocks, once what draws them is there. */
  #readBlocks: typeof blocksIn | undefined
  #widgetPart: ((part: WidgetPart) => TemplateResult) | undefined
  #shows: WidgetPart['shows'] = 'page'
  #hasPeople = false
  #form: PeopleForm | undefined
  #makesRule = false
  /** Changes with the ask that is shown: what was loaded for another is not opened here. */
  #turns = 0

  constructor(host: LitElement) {
    this.#host = host
    host.addController(this)
  }

  hostConnected(): void {}

  /** Whether the form of a rule stands in the place of the buttons. */
  get makesRule(): boolean {
    return this.#makesRule
  }

  /** Another ask is shown. */
  turn(): void {
    this.#turns++
    this.#makesRule = false
    this.#form = undefined
    this.#shows = 'page'
  }

  /** Where an ask leads; nothing until what a link is inspected with is there. */
  link(part: LinkPart): TemplateResult | typeof nothing {
    if (this.#linkPart !== undefined) return this.#linkPart(part)
    this.#load(async () => {
      this.#linkPart = (await import('./link-part.js')).linkPart
    })
    return nothing
  }

  /** What an ask was answered with. */
  answers(ask: AskEntry, language: Language): TemplateResult | typeof nothing {
    if (this.#answersPart !== undefined) return this.#answersPart(ask, language)
    this.#load(async () => {
      this.#answersPart = (await import('./answers-part.js')).answersPart
    })
    return nothing
  }

  /** Whether what belongs to an ask stands on the page: until then it cannot be accepted. */
  showsAll({ request }: AskEntry): boolean {
    const hasFields = (request.questions ?? []).length === 0 || this.#formPart !== undefined
    return hasFields && (!hasBlocks(request) || (this.#readBlocks?.(request._meta) ?? []).length > 0)
  }

  /** What is shown beside the question; a word of warning for what this inbox cannot show. */
  blocks({ request }: AskEntry, language: Language): TemplateResult | typeof nothing {
    if (!hasBlocks(request)) return nothing
    if (this.#readBlocks === undefined) {
      this.#load(async () => {
        const { defineBlocks, readBlocks } = await import('../blocks/blocks.js')
        defineBlocks()
        this.#readBlocks = readBlocks
      })
      return nothing
    }
    const blocks = this.#readBlocks(request._meta)
    return blocks.length === 0
      ? html`<p class="warning danger" role="alert">${language.strings.blocksUnknown}</p>`
      : html`<beckon-blocks .blocks=${blocks} .language=${language} .opensLinks=${request.url === undefined}></beckon-blocks>`
  }

  /** The questions of an ask, or the page of its widget; nothing until what shows them is there. Most asks are a yes or no. */
  form(part: FormPart & Omit<WidgetPart, 'shows' | 'leave'>): TemplateResult | typeof nothing {
    const isWidget = part.ask.request._meta?.['beckon/widget'] !== undefined
    if (this.#formPart === undefined || (isWidget && this.#widgetPart === undefined)) {
      this.#load(() => this.#loadForm(isWidget))
      return nothing
    }
    if (!isWidget || this.#widgetPart === undefined) return this.#formPart(part)
    return this.#widgetPart({
      ...part,
      shows: this.#shows,
      leave: shows => {
        this.#shows = shows
        this.#host.requestUpdate()
      },
    })
  }

  async #loadForm(isWidget: boolean): Promise<void> {
    const [{ formPart }, { defineQuestion }] = await Promise.all([
      import('./form-part.js'),
      import('../question/question.js'),
    ])
    defineQuestion()
    this.#formPart = formPart
    if (isWidget) this.#widgetPart = (await import('../widget/widget-part.js')).widgetPart
  }

  openRule(): void {
    const turn = this.#turns
    this.#load(async () => {
      const { defineRule } = await import('../rules/rule.js')
      defineRule()
      if (turn !== this.#turns) return
      this.#makesRule = true
      this.#host.requestUpdate()
      await this.#host.updateComplete
      this.#host.renderRoot.querySelector<HTMLElement>('beckon-rule')?.focus()
    })
  }

  /** The form of a rule, which ends with the buttons, or with an accept. */
  rule({ ask, client, language }: AskShown, accept: () => void): TemplateResult {
    const leave = (): void => {
      this.#makesRule = false
      this.#host.requestUpdate()
    }
    const made = (): void => {
      leave()
      accept()
    }
    return html`<beckon-rule .ask=${ask} .api=${client.api} .language=${language} @made=${made} @left=${leave}></beckon-rule>`
  }

  openPeople(form: PeopleForm): void {
    const turn = this.#turns
    this.#load(async () => {
      await this.#loadPeople()
      if (turn !== this.#turns) return
      this.#form = form
      this.#host.requestUpdate()
      await this.#host.updateComplete
      const element = this.#host.renderRoot.querySelector<PeopleElement>('beckon-people')
      await element?.updateComplete
      element?.focus()
    })
  }

  /** What people say about it, and the form of who is about to. */
  people({ ask, client, language, now }: AskShown): TemplateResult | typeof nothing {
    if (this.#form === undefined && (ask.comments ?? []).length === 0) return nothing
    if (!this.#hasPeople) {
      this.#load(() => this.#loadPeople())
      return nothing
    }
    const leave = (): void => {
      this.#form = undefined
      this.#host.requestUpdate()
    }
    return html`<beckon-people ?open=${this.#form !== undefined} .client=${client} .ask=${ask} .language=${language} .form=${this.#form} .now=${now} @left=${leave}></beckon-people>`
  }

  async #loadPeople(): Promise<void> {
    const { definePeople } = await import('../people/people.js')
    definePeople()
    this.#hasPeople = true
  }

  /** What cannot be loaded without a connection is loaded when it is wanted again. */
  #load(load: () => Promise<void>): void {
    load().then(
      () => this.#host.requestUpdate(),
      () => {},
    )
  }
}

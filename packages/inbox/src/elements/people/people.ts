import { visible } from '@beckon/core'
import type { AskComment, AskEntry } from '@beckon/core/asks'
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { DeskClient } from '../../live/desk-client.js'
import type { PeopleAction } from '../../live/protocol.js'
import { ago, moment } from '../../strings/durations.js'
import { panelStrings } from '../../strings/panel.js'
import type { PanelStrings } from '../../strings/panel-en.js'
import type { Language } from '../../strings/strings.js'
import { icon } from '../icons.js'
import { controls, theme } from '../theme.js'
import { typedText } from '../typed-text.js'
import { peopleStyles } from './people-styles.js'

/** What someone is about to do about an ask beside answering it. */
export type PeopleForm = 'comment' | 'hand-on'

/** What people say about an ask, and the forms to say something or to hand it on. Tells with `left` that a form is done with. */
export class PeopleElement extends LitElement {
  static override properties: PropertyDeclarations = {
    client: { attribute: false },
    ask: { attribute: false },
    language: { attribute: false },
    form: { attribute: false },
    now: { attribute: false },
  }

  static override styles: CSSResultGroup = [theme, controls, peopleStyles]

  declare client: DeskClient
  declare ask: AskEntry
  declare language: Language
  declare form: PeopleForm | undefined
  /** Milliseconds. */
  declare now: number
  #text = ''
  #problem: string | undefined
  #isSending = false

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('#field')?.focus()
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('form')) return
    this.#text = ''
    this.#problem = undefined
  }

  protected override render(): TemplateResult {
    const strings = panelStrings(this.language.tag)
    const { comments = [] } = this.ask
    return html`${
      comments.length === 0
        ? nothing
        : html`<section aria-labelledby="title">
        <h3 id="title" class="quiet">${this.language.strings.comments}</h3>
        <ul>${comments.map(comment => this.#comment(comment))}</ul>
      </section>`
    }
      ${this.form === undefined ? nothing : this.#formPart(this.form, strings)}`
  }

  #comment({ by, at, text }: AskComment): TemplateResult {
    const { strings, tag } = this.language
    const name = by === this.client.principal ? strings.you : visible(by)
    return html`<li>
      <p class="quiet"><strong><bdi>${name}</bdi></strong> <time title=${moment(at, tag)}>${ago(at, this.now, tag)}</time></p>
      <p class="text said" dir="auto">${visible(text)}</p>
    </li>`
  }

  #formPart(form: PeopleForm, strings: PanelStrings): TemplateResult {
    const isComment = form === 'comment'
    return html`<form novalidate @submit=${this.#submit} @keydown=${this.#onKey}>
      <label for="field">${isComment ? strings.writeComment : strings.handOnTo}</label>
      ${isComment ? this.#commentField() : this.#nameField()}
      <p class="quiet">${isComment ? strings.commentMore : strings.handOnMore}</p>
      ${this.#problem === undefined ? nothing : html`<p class="refused" role="alert">${icon('warning')}<span>${visible(this.#problem)}</span></p>`}
      <div class="buttons">
        <button class="primary" type="submit" ?disabled=${this.#isSending}>${isComment ? strings.sendComment : strings.handOn}</button>
        <button type="button" ?disabled=${this.#isSending} @click=${this.#leave}>${strings.cancel}</button>
      </div>
    </form>`
  }

  #commentField(): TemplateResult {
    return html`<textarea id="field" rows="2" dir="auto" maxlength="2000" .value=${live(this.#text)} @input=${this.#write}></textarea>`
  }

  /** The desk has no list of people: those are proposed who have to do with this ask. */
  #nameField(): TemplateResult {
    const { to, approval, comments = [] } = this.ask
    const known = [...(to?.principals ?? []), ...(approval?.missing ?? []), ...comments.map(({ by }) => by)]
    const others = [...new Set(known)].filter(name => name !== this.client.principal)
    return html`<input id="field" type="text" dir="auto" autocomplete="off" autocapitalize="off" maxlength="500" list="known" .value=${live(this.#text)} @input=${this.#write} />
      <datalist id="known">${others.map(name => html`<option value=${name}></option>`)}</datalist>`
  }

  #write(event: Event): void {
    this.#text = typedText(event)
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault()
    const text = this.#text.trim()
    if (text === '' || this.#isSending || this.form === undefined) return
    const action: PeopleAction =
      this.form === 'comment' ? { type: 'beckon/commented', text } : { type: 'beckon/delegated', to: text }
    this.#isSending = true
    this.requestUpdate()
    const problem = await this.client.act(this.ask, action).then(
      refusal => refusal && this.language.strings.refused(refusal),
      () => panelStrings(this.language.tag).unreachable,
    )
    this.#isSending = false
    this.#problem = problem
    if (problem === undefined) this.dispatchEvent(new CustomEvent('left', { detail: action }))
    this.requestUpdate()
  }

  #leave(): void {
    this.dispatchEvent(new CustomEvent('left'))
  }

  #onKey(event: KeyboardEvent): void {
    const isSent = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (event.key !== 'Escape' && !isSent) return
    event.preventDefault()
    event.stopPropagation()
    if (isSent) void this.#submit(event)
    else this.#leave()
  }
}

export function definePeople(): void {
  if (customElements.get('beckon-people') === undefined) customElements.define('beckon-people', PeopleElement)
}

import type { Option, SingleSelectQuestion } from '@beckon/core'
import { visible } from '@beckon/core'
import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit'
import { choiceEntered } from '../../fields/entered.js'
import { titleOf } from '../../fields/title.js'
import { icon } from '../icons.js'
import { typedText } from '../typed-text.js'
import { words } from '../untrusted.js'
import { choiceOf, otherChoice } from './choice-control.js'
import type { ControlPart } from './control-part.js'

/** More than these are not drawn at once: a word narrows them down. */
const maxShown = 100

/** One of many: a field to find it with, over the list of what fits. */
export class SearchControl implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement
  #query = ''
  #active = -1

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host
    host.addController(this)
  }

  hostConnected(): void {}

  render(part: ControlPart<SingleSelectQuestion>): TemplateResult {
    const { strings } = part.language
    const { chosen, others } = choiceOf(part)
    const selected = others.length > 0 ? undefined : part.question.options.find(({ id }) => id === chosen[0])
    const found = this.#found(part.question.options)
    const shown = found.slice(0, maxShown)
    const active = shown[this.#active]
    return html`<div class="search">
        <span class="glass">${icon('search', 18)}</span>
        <input
          id="control"
          type="text"
          role="combobox"
          autocomplete="off"
          aria-expanded="true"
          aria-controls="found"
          aria-autocomplete="list"
          aria-activedescendant=${active ? `found-${this.#active}` : nothing}
          aria-invalid=${part.isInvalid}
          aria-describedby=${`${part.describedBy} chosen`}
          placeholder=${strings.find}
          .value=${this.#query}
          ?disabled=${part.isDisabled}
          @input=${(event: Event) => this.#search(typedText(event))}
          @keydown=${(event: KeyboardEvent) => this.#onKey(event, part, shown)}
        />
      </div>
      <div id="chosen" class="chosen ${selected ? '' : 'quiet'}">
        ${selected ? html`${icon('check', 18)}${words(selected.label)}` : strings.noneChosen}
      </div>
      <div class="found" id="found" role="listbox" aria-label=${visible(titleOf(part.question).text)}>
        ${shown.map(
          (option, index) =>
            html`<div
              class="option ${option === active ? 'active' : ''}"
              id=${`found-${index}`}
              role="option"
              aria-selected=${option === selected}
              @click=${() => !part.isDisabled && part.enter(choiceEntered([option.id]))}
            >
              <span>${words(option.label)} ${option.recommended ? html`<span class="badge">${strings.suggested}</span>` : nothing}
              ${option.description ? html`<span class="quiet described">${words(option.description)}</span>` : nothing}</span>
              ${option === selected ? icon('check', 18) : nothing}
            </div>`,
        )}
        ${shown.length === 0 ? html`<div class="option quiet" role="option" aria-disabled="true" aria-selected="false">${strings.noOption}</div>` : nothing}
      </div>
      ${part.question.allowFreeformInput ? otherChoice(part, 'checkbox', () => part.enter(choiceEntered([], others.length > 0 ? [] : ['']))) : nothing}`
  }

  #found(options: readonly Option[]): readonly Option[] {
    const wanted = this.#query.toLowerCase().split(/\s+/).filter(Boolean)
    if (wanted.length === 0) return options
    return options.filter(({ label, description = '' }) => {
      const text = `${label} ${description}`.toLowerCase()
      return wanted.every(word => text.includes(word))
    })
  }

  #search(query: string): void {
    this.#query = query
    this.#active = query === '' ? -1 : 0
    this.#host.requestUpdate()
  }

  #onKey(event: KeyboardEvent, part: ControlPart, shown: readonly Option[]): void {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const by = steps[event.key]
    const active = shown[this.#active]
    if (by !== undefined) this.#active = Math.min(shown.length - 1, Math.max(0, this.#active + by))
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && active) part.enter(choiceEntered([active.id]))
    else return
    event.preventDefault()
    this.#host.requestUpdate()
    void this.#host.updateComplete.then(() =>
      this.#host.shadowRoot?.querySelector('.found .active')?.scrollIntoView({ block: 'nearest' }),
    )
  }
}

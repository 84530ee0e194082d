import { plainName, SerialQueue, visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { ApiError } from '../../api/desk-api.js'
import { isDestructive, toolOf } from '../../list/rows.js'
import { makeRule, type TriedRule, tryRule } from '../../rules/own-rules.js'
import { type RuleChoice, ruleDays, wantedRule } from '../../rules/wanted-rule.js'
import { panelStrings } from '../../strings/panel.js'
import type { PanelStrings } from '../../strings/panel-en.js'
import type { Language } from '../../strings/strings.js'
import { icon } from '../icons.js'
import { controls, theme } from '../theme.js'
import { ruleStyles } from './rule-styles.js'

/**
 * The form of a rule that accepts calls such as the one that is asked about. Says in a sentence what it will be, and which past
 * calls it would have accepted. Tells with `made` that the desk has it, and with `left` that nothing came of it.
 */
export class RuleElement extends LitElement {
  static override properties: PropertyDeclarations = {
    ask: { attribute: false, hasChanged: (a: AskEntry, b?: AskEntry) => a.request.id !== b?.request.id },
    api: { attribute: false },
    language: { attribute: false },
  }

  static override styles: CSSResultGroup = [theme, controls, ruleStyles]

  declare ask: AskEntry
  declare api: string
  declare language: Language
  #choice: RuleChoice = { scope: 'these-arguments', days: 30 }
  #tried: TriedRule | undefined
  #problem: string | undefined
  #isMaking = false
  /** The last of the looks at past calls. The desk does one at a time for a person, and one to make a rule. */
  readonly #looks = new SerialQueue()

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('.rule')?.focus()
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('ask')) this.#try()
  }

  protected override render(): TemplateResult {
    const strings = panelStrings(this.language.tag)
    const isDangerous = isDestructive(this.ask)
    return html`<section class="rule" tabindex="-1" aria-labelledby="title" @keydown=${this.#onKey}>
      <h3 id="title">${strings.alwaysAllow}</h3>
      ${this.#choices(strings)}
      <p class="sentence" role="status">${this.#sentence(strings)}</p>
      ${isDangerous ? html`<p class="sentence danger">${icon('warning')}<span>${strings.ruleDestructive}</span></p>` : nothing}
      <p class="quiet">${this.#tried === undefined ? strings.trying : strings.tried(this.#tried.matchedCount, this.#tried.looked)} ${strings.ruleWhere}</p>
      ${this.#problem === undefined ? nothing : html`<p class="refused" role="alert">${icon('warning')}<span>${visible(this.#problem)}</span></p>`}
      <div class="buttons">
        <button id="make" class=${isDangerous ? 'risky' : 'primary'} ?disabled=${this.#isMaking} @click=${this.#make}>
          ${this.#isMaking ? strings.making : strings.make}
        </button>
        <button ?disabled=${this.#isMaking} @click=${this.#leave}>${strings.cancel}</button>
      </div>
    </section>`
  }

  #choices(strings: PanelStrings): TemplateResult {
    const { scope, days } = this.#choice
    const option = (name: string, label: string, isChosen: boolean, choice: Partial<RuleChoice>): TemplateResult =>
      html`<label>
        <input type="radio" name=${name} .checked=${live(isChosen)} @change=${() => this.#choose(choice)} />
        <span>${label}</span>
      </label>`
    return html`<fieldset>
        <legend>${strings.scope}</legend>
        ${option('scope', strings.theseArguments, scope === 'these-arguments', { scope: 'these-arguments' })}
        ${option('scope', strings.anyArguments, scope === 'any-arguments', { scope: 'any-arguments' })}
      </fieldset>
      <fieldset>
        <legend>${strings.until}</legend>
        ${ruleDays.map(one => option('days', strings.days(one), one === days, { days: one }))}
      </fieldset>`
  }

  #sentence(strings: PanelStrings): string {
    const { until } = this.#rule
    const day = new Intl.DateTimeFormat(this.language.tag, { dateStyle: 'long' }).format(new Date(until))
    const name = (text: string): string => `\u2068${text}\u2069`
    const server = name(visible(plainName(this.ask.server)))
    return strings.ruleSentence(name(toolOf(this.ask) ?? ''), server, this.#choice.scope === 'these-arguments', day)
  }

  get #rule(): ReturnType<typeof wantedRule> {
    return wantedRule(this.ask, this.#choice, Date.now())
  }

  #choose(choice: Partial<RuleChoice>): void {
    const isOfOthers = choice.scope !== undefined
    this.#choice = { ...this.#choice, ...choice }
    this.#problem = undefined
    // For how long it holds says nothing of past calls.
    if (isOfOthers) this.#try()
    this.requestUpdate()
  }

  #try(): void {
    this.#tried = undefined
    const choice = this.#choice
    void this.#looks.run(() => this.#lookBack(choice))
  }

  async #lookBack(choice: RuleChoice): Promise<void> {
    const isWanted = (): boolean => choice.scope === this.#choice.scope && this.isConnected
    if (!isWanted()) return
    try {
      const tried = await tryRule(this.api, this.#rule)
      if (isWanted()) this.#tried = tried
    } catch (error) {
      if (isWanted()) this.#problem = this.#words(error)
    }
    this.requestUpdate()
  }

  async #make(): Promise<void> {
    this.#isMaking = true
    this.#problem = undefined
    this.requestUpdate()
    try {
      await this.#looks.settled()
      await makeRule(this.api, this.#rule)
      this.dispatchEvent(new Event('made'))
    } catch (error) {
      this.#problem = this.#words(error)
    }
    this.#isMaking = false
    this.requestUpdate()
  }

  #leave(): void {
    this.dispatchEvent(new Event('left'))
  }

  #words(error: unknown): string {
    const refusal = error instanceof ApiError ? error.refusal : undefined
    return refusal === undefined ? panelStrings(this.language.tag).unreachable : this.language.strings.refused(refusal)
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    this.#leave()
  }
}

export function defineRule(): void {
  if (customElements.get('beckon-rule') === undefined) customElements.define('beckon-rule', RuleElement)
}

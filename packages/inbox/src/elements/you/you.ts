import { visible } from '@beckon/core'
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import type { DeskClient } from '../../live/desk-client.js'
import { panelStrings } from '../../strings/panel.js'
import type { PanelStrings } from '../../strings/panel-en.js'
import type { Language } from '../../strings/strings.js'
import { controls, theme } from '../theme.js'
import { RulesSection } from './rules-section.js'
import { signOut } from './sign-out.js'
import { youStyles } from './you-styles.js'

/** Whom a desk takes everyone for that opens its link. */
const nobodyInParticular = 'local'

/** Who someone is on a desk, and what is theirs to set: each a section of its own. Tells with `closed` that they are done. */
export class YouElement extends LitElement {
  static override properties: PropertyDeclarations = {
    client: { attribute: false },
    language: { attribute: false },
  }

  static override styles: CSSResultGroup = [theme, controls, youStyles]

  declare client: DeskClient
  declare language: Language
  readonly #rules = new RulesSection(this)
  #canSignOut = true

  /** Reads everything anew: it was opened again. */
  open(): void {
    const { api, principal } = this.client
    if (api !== undefined) void this.#rules.load({ api, principal })
  }

  protected override render(): TemplateResult {
    const strings = panelStrings(this.language.tag)
    const { api, principal } = this.client
    return html`<section>
        <h2 id="you">${strings.youAre(`\u2068${visible(principal ?? '')}\u2069`)}</h2>
        ${principal === nobodyInParticular ? html`<p class="quiet">${strings.anyone}</p>` : nothing}
        ${api === undefined ? nothing : this.#signOutPart(api, strings)}
      </section>
      ${api === undefined ? nothing : this.#rules.render({ api, principal }, strings, this.language.tag)}
      <div><button @click=${() => this.dispatchEvent(new Event('closed'))}>${strings.close}</button></div>`
  }

  #signOutPart(api: string, strings: PanelStrings): TemplateResult {
    if (!this.#canSignOut) return html`<p class="quiet" role="status">${strings.cannotSignOut}</p>`
    return html`<div><button @click=${() => void this.#signOut(api)}>${strings.signOut}</button></div>`
  }

  async #signOut(api: string): Promise<void> {
    this.#canSignOut = await signOut(api)
    if (this.#canSignOut) this.dispatchEvent(new Event('closed'))
    this.requestUpdate()
  }
}

export function defineYou(): void {
  if (customElements.get('beckon-you') === undefined) customElements.define('beckon-you', YouElement)
}

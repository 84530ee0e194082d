import { visible } from '@beckon/core'
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { askDesk, type Reply } from '../../api/desk-api.js'
import type { DeskClient } from '../../live/desk-client.js'
import { tellOfSignOut } from '../../live/sign-outs.js'
import { panelStrings } from '../../strings/panel.js'
import type { PanelStrings } from '../../strings/panel-en.js'
import type { Language } from '../../strings/strings.js'
import { controls, theme } from '../theme.js'
import { AwaySection } from './away-section.js'
import { PasskeysSection } from './passkeys-section.js'
import { RulesSection } from './rules-section.js'
import { sendHeld, signOut } from './sign-out.js'
import { youStyles } from './you-styles.js'

/**
 * Who someone is on a desk, and what is theirs to set: each a section of its own. Tells with `closed` that they are done.
 */
export class YouElement extends LitElement {
  static override properties: PropertyDeclarations = {
    client: { attribute: false },
    language: { attribute: false },
  }

  static override styles: CSSResultGroup = [theme, controls, youStyles]

  declare client: DeskClient
  declare language: Language
  readonly #rules = new RulesSection(this)
  readonly #away = new AwaySection(this)
  readonly #passkeys = new PasskeysSection(this)
  #me: { readonly role: string; readonly groups: readonly string[] } | undefined
  #canSignOut = true

  /** Reads everything anew: it was opened again. */
  open(): void {
    const { api, principal, isSomebody } = this.client
    if (api === undefined) return
    void this.#rules.load({ api, principal })
    void this.#load(api)
    if (isSomebody) void this.#passkeys.load(api)
  }

  async #load(api: string): Promise<void> {
    const { role, groups, away } = await askDesk(api, '/api/me').catch((): Reply => ({}))
    const names = Array.isArray(groups) ? groups.map(String) : []
    this.#me = typeof role === 'string' ? { role, groups: names } : undefined
    this.#away.take(away, Date.now())
  }

  protected override render(): TemplateResult {
    const strings = panelStrings(this.language.tag)
    const { api, principal, isSomebody } = this.client
    return html`<section>
        <h2 id="you">${strings.youAre(`\u2068${visible(principal ?? '')}\u2069`)}</h2>
        ${this.#me === undefined ? nothing : html`<p class="quiet">${this.#about(this.#me, strings)}</p>`}
        ${isSomebody ? nothing : html`<p class="quiet">${strings.anyone}</p>`}
        ${api === undefined ? nothing : this.#signOutPart(api, strings)}
      </section>
      ${api === undefined || !isSomebody ? nothing : html`${this.#away.render(api, strings, this.language)} ${this.#rules.render({ api, principal }, strings, this.language.tag)} ${this.#passkeys.render(api, { strings, language: this.language })}`}
      <div><button @click=${() => this.dispatchEvent(new Event('closed'))}>${strings.close}</button></div>`
  }

  #about({ role, groups }: { role: string; groups: readonly string[] }, strings: PanelStrings): string {
    const names = new Intl.ListFormat(this.language.tag).format(groups.map(group => `\u2068${visible(group)}\u2069`))
    return groups.length === 0 ? strings.role(role) : `${strings.role(role)}. ${strings.groups(names)}.`
  }

  #signOutPart(api: string, strings: PanelStrings): TemplateResult {
    if (!this.#canSignOut) return html`<p class="quiet" role="status">${strings.cannotSignOut}</p>`
    return html`<div><button @click=${() => void this.#signOut(api)}>${strings.signOut}</button></div>`
  }

  async #signOut(api: string): Promise<void> {
    // What was decided is there before its person goes.
    await sendHeld(this.client)
    this.#canSignOut = await signOut(api)
    if (this.#canSignOut) tellOfSignOut(api)
    this.requestUpdate()
  }
}

export function defineYou(): void {
  if (customElements.get('beckon-you') === undefined) customElements.define('beckon-you', YouElement)
}

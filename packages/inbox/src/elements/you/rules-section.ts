import { plainName, visible } from '@beckon/core'
import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit'
import { type OwnRule, ownRules, revokeRule } from '../../rules/own-rules.js'
import type { PanelStrings } from '../../strings/panel-en.js'
import { firstWords } from '../../text/clamp.js'

export interface RulesAt {
  readonly api: string
  readonly principal: string | undefined
}

/** What someone always allows, each to be revoked. */
export class RulesSection implements ReactiveController {
  readonly #host: ReactiveControllerHost
  #rules: readonly OwnRule[] | undefined
  #note = ''

  constructor(host: ReactiveControllerHost) {
    this.#host = host
    host.addController(this)
  }

  hostConnected(): void {}

  async load({ api, principal }: RulesAt): Promise<void> {
    this.#rules = await ownRules(api, principal).catch(() => [])
    this.#host.requestUpdate()
  }

  render(at: RulesAt, strings: PanelStrings, tag: string): TemplateResult {
    return html`<section aria-labelledby="rules">
      <h3 id="rules">${strings.rules}</h3>
      ${this.#rules === undefined ? html`<p class="quiet">${strings.loading}</p>` : this.#list(this.#rules, at, strings, tag)}
      <p class="quiet" role="status">${this.#note}</p>
    </section>`
  }

  #list(rules: readonly OwnRule[], at: RulesAt, strings: PanelStrings, tag: string): TemplateResult {
    if (rules.length === 0) return html`<p class="quiet">${strings.noRules}</p>`
    const day = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })
    return html`<ul>
      ${rules.map(rule => {
        const name = strings.ruleOf(visible(rule.tool ?? '*'), visible(plainName(rule.server ?? '*')))
        const given = argumentsIn(rule, strings)
        const until = rule.until === undefined ? '' : strings.ruleUntil(day.format(rule.until))
        return html`<li>
          <span><bdi>${name}</bdi><br /><span class="quiet"><bdi>${visible(given)}</bdi>, ${until}</span></span>
          <button class="small" aria-label=${strings.revokeRule(name)} @click=${() => void this.#revoke(rule, at, strings)}>
            ${strings.revoke}
          </button>
        </li>`
      })}
    </ul>`
  }

  async #revoke(rule: OwnRule, at: RulesAt, strings: PanelStrings): Promise<void> {
    try {
      await revokeRule(at.api, rule.id)
      this.#note = strings.revoked
    } catch {
      this.#note = strings.unreachable
    }
    await this.load(at)
  }
}

function argumentsIn({ exactArguments }: OwnRule, strings: PanelStrings): string {
  if (exactArguments === undefined) return strings.anyArguments
  const text = JSON.stringify(exactArguments)
  return text === '{}' ? strings.noArguments : firstWords(text, 120)
}

import { visible } from '@beckon/core'
import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { ApiError } from '../../api/desk-api.js'
import { addPasskey, type OwnPasskey, ownPasskeys, removePasskey } from '../../passkey/passkeys.js'
import type { PanelStrings } from '../../strings/panel-en.js'
import type { Language } from '../../strings/strings.js'
import { typedText } from '../typed-text.js'

interface Texts {
  readonly strings: PanelStrings
  readonly language: Language
}

/** Someone's passkeys: listed, another device added, one removed. Nothing on a desk that takes none. */
export class PasskeysSection implements ReactiveController {
  readonly #host: ReactiveControllerHost
  #passkeys: readonly OwnPasskey[] | undefined
  #name = ''
  #isBusy = false
  #note = ''
  #problem: string | undefined

  constructor(host: ReactiveControllerHost) {
    this.#host = host
    host.addController(this)
  }

  hostConnected(): void {}

  async load(api: string): Promise<void> {
    this.#passkeys = await ownPasskeys(api).catch(() => undefined)
    this.#host.requestUpdate()
  }

  render(api: string, texts: Texts): TemplateResult | typeof nothing {
    if (this.#passkeys === undefined) return nothing
    const { strings } = texts
    return html`<section aria-labelledby="passkeys">
      <h3 id="passkeys">${strings.passkeys}</h3>
      <p class="quiet">${this.#passkeys.length === 0 ? strings.noPasskeys : strings.passkeysMore}</p>
      ${this.#list(this.#passkeys, api, texts)} ${this.#form(api, texts)}
      ${this.#problem === undefined ? nothing : html`<p class="refused" role="alert">${visible(this.#problem)}</p>`}
      <p class="quiet" role="status">${this.#isBusy ? texts.language.strings.waitsForDevice : this.#note}</p>
    </section>`
  }

  #list(passkeys: readonly OwnPasskey[], api: string, texts: Texts): TemplateResult | typeof nothing {
    if (passkeys.length === 0) return nothing
    const { strings, language } = texts
    const day = new Intl.DateTimeFormat(language.tag, { dateStyle: 'medium' })
    const remove = (id: string): void => void this.#do(() => removePasskey(api, id), strings.passkeyRemoved, api, texts)
    return html`<ul>
      ${passkeys.map(({ id, name, createdAt, usedAt }) => {
        const used = usedAt === undefined ? '' : `, ${strings.passkeyUsed(day.format(usedAt))}`
        return html`<li>
          <span><bdi>${visible(name)}</bdi><br /><span class="quiet">${strings.passkeyAdded(day.format(createdAt))}${used}</span></span>
          <button class="small" ?disabled=${this.#isBusy} aria-label=${strings.removePasskey(visible(name))} @click=${() => remove(id)}>
            ${strings.remove}
          </button>
        </li>`
      })}
    </ul>`
  }

  #form(api: string, texts: Texts): TemplateResult {
    const { strings } = texts
    const submit = (event: Event): void => {
      event.preventDefault()
      void this.#do(() => addPasskey(api, this.#name.trim()), strings.passkeyMade, api, texts)
    }
    return html`<form class="row" novalidate @submit=${submit}>
      <label>${strings.passkeyName}<input id="passkey-name" autocomplete="off" maxlength="100" .value=${live(this.#name)} @input=${(
        event: Event,
      ) => {
        this.#name = typedText(event)
      }} /></label>
      <button type="submit" ?disabled=${this.#isBusy}>${strings.addPasskey}</button>
    </form>`
  }

  async #do(act: () => Promise<void>, note: string, api: string, { language }: Texts): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    this.#problem = undefined
    this.#note = ''
    this.#host.requestUpdate()
    try {
      await act()
      this.#note = note
      this.#name = ''
    } catch (error) {
      const refusal = error instanceof ApiError ? error.refusal : undefined
      this.#problem = refusal === undefined ? language.strings.notConfirmed : language.strings.refused(refusal)
    }
    this.#isBusy = false
    await this.load(api)
  }
}

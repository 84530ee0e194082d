import { visible } from '@beckon/core'
import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { ApiError, askDesk, type Reply } from '../../api/desk-api.js'
import { localFrom } from '../../fields/local-time.js'
import type { PanelStrings } from '../../strings/panel-en.js'
import type { Language } from '../../strings/strings.js'
import { typedText } from '../typed-text.js'

const path = '/api/me/away'
const dayMs = 24 * 60 * 60 * 1000

/** From when until when someone is away, and who is asked in their place. */
interface Away {
  readonly from: number
  readonly until: number
  readonly to: string
}

/** Out of office: set, shown and ended. */
export class AwaySection implements ReactiveController {
  readonly #host: ReactiveControllerHost
  #away: Away | undefined
  #from = ''
  #until = ''
  #to = ''
  #note = ''
  #problem: string | undefined

  constructor(host: ReactiveControllerHost) {
    this.#host = host
    host.addController(this)
  }

  hostConnected(): void {}

  /** What the desk knows; without it, the form proposes a week from now. */
  take(away: unknown, now: number): void {
    this.#away = awayIn(away)
    this.#from = localFrom(new Date(now).toISOString()).slice(0, 16)
    this.#until = localFrom(new Date(now + 7 * dayMs).toISOString()).slice(0, 16)
    this.#to = ''
    this.#problem = undefined
    this.#host.requestUpdate()
  }

  render(api: string, strings: PanelStrings, language: Language): TemplateResult {
    return html`<section aria-labelledby="away">
      <h3 id="away">${strings.away}</h3>
      ${this.#away === undefined ? this.#form(api, strings, language) : this.#set(api, this.#away, strings, language)}
      ${this.#problem === undefined ? nothing : html`<p class="refused" role="alert">${visible(this.#problem)}</p>`}
      <p class="quiet" role="status">${this.#note}</p>
    </section>`
  }

  #set(api: string, { from, until, to }: Away, strings: PanelStrings, language: Language): TemplateResult {
    const format = new Intl.DateTimeFormat(language.tag, { dateStyle: 'medium', timeStyle: 'short' })
    const end = (): void => void this.#send(api, 'DELETE', undefined, strings.awayEnded, { strings, language })
    return html`<p>${strings.awaySet(format.format(from), format.format(until), `\u2068${visible(to)}\u2069`)}</p>
      <div><button @click=${end}>${strings.endAway}</button></div>`
  }

  #form(api: string, strings: PanelStrings, language: Language): TemplateResult {
    const field = (id: string, label: string, type: string, value: string, write: (text: string) => void) =>
      html`<label>${label}<input id=${id} type=${type} autocomplete="off" maxlength="500" .value=${live(value)} @input=${(event: Event) => write(typedText(event))} /></label>`
    const submit = (event: Event): void => {
      event.preventDefault()
      const body = { from: timeOf(this.#from), until: timeOf(this.#until), to: this.#to.trim() }
      void this.#send(api, 'PUT', body, strings.awayKept, { strings, language })
    }
    return html`<p class="quiet">${strings.awayMore}</p>
      <form class="row" novalidate @submit=${submit}>
        ${field('away-from', strings.awayFrom, 'datetime-local', this.#from, text => {
          this.#from = text
        })}
        ${field('away-until', strings.awayUntil, 'datetime-local', this.#until, text => {
          this.#until = text
        })}
        ${field('away-to', strings.awayTo, 'text', this.#to, text => {
          this.#to = text
        })}
        <button type="submit">${strings.setAway}</button>
      </form>`
  }

  async #send(
    api: string,
    method: 'PUT' | 'DELETE',
    body: object | undefined,
    note: string,
    { strings, language }: { readonly strings: PanelStrings; readonly language: Language },
  ): Promise<void> {
    this.#problem = undefined
    this.#note = ''
    try {
      const reply = await askDesk(api, path, { method, ...(body && { body }) })
      this.#away = method === 'PUT' ? awayIn(reply) : undefined
      this.#note = note
    } catch (error) {
      const refusal = error instanceof ApiError ? error.refusal : undefined
      this.#problem = refusal === undefined ? strings.unreachable : language.strings.refused(refusal)
    }
    this.#host.requestUpdate()
  }
}

/** A moment that someone entered; what is none is left for the desk to refuse. */
function timeOf(local: string): number | null {
  const at = new Date(local).getTime()
  return Number.isNaN(at) ? null : at
}

function awayIn(value: unknown): Away | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { from, until, to }: Reply = { ...value }
  return typeof from === 'number' && typeof until === 'number' && typeof to === 'string'
    ? { from, until, to }
    : undefined
}

// Threat: whatever reaches a page (an author's message, a person's input, a provider's error) carries markup. So text
// becomes HTML in this one place, and a value that is not HTML already is escaped, in texts and in attributes alike.
import { visible } from '@beckon/core'

/** Text that is safe to send as HTML. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** What a template takes: nothing is left out, a list is put together, and everything but HTML is escaped. */
export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[]

/**
 * HTML from a template. Attributes have to be quoted.
 * @example
 * html`<p title="${title}">${text}</p>`
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)))
}

function render(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(render).join('')
  return escapeHtml(String(value))
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, character => escapes[character] ?? '')
}

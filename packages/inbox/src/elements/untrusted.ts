import { visible } from '@beckon/core'
import { html, type TemplateResult } from 'lit'

/** Words from elsewhere: always text, in a direction of their own, with nothing in them that acts on their surroundings. */
export function words(text: string): TemplateResult {
  return html`<bdi>${visible(text)}</bdi>`
}

import { visible } from '@beckon/core'
import { html, type TemplateResult } from 'lit'
import type { DeskClient } from '../../live/desk-client.js'
import type { Strings } from '../../strings/en.js'

/** What stands in the place of an ask that is not here: that it is gone, or why nothing can be seen yet. */
export function awayPart(client: DeskClient | undefined, strings: Strings): TemplateResult {
  return html`<div class="away quiet" role="status">${whyAway(client, strings)}</div>`
}

function whyAway(client: DeskClient | undefined, strings: Strings): string {
  if (client?.isLoaded) return strings.gone
  const { status, signedOut } = client ?? {}
  if (signedOut !== undefined) return `${strings.signedOut} ${visible(strings.refused(signedOut.refusal))}`
  return status === 'offline' ? strings.offline : strings.loading
}

import { inspectUrl } from '@beckon/core'
import { html, nothing, type TemplateResult } from 'lit'
import type { Language } from '../../strings/strings.js'
import { icon } from '../icons.js'

export interface LinkPart {
  readonly url: string
  readonly language: Language
  /** Whether the person may still decide. */
  readonly isOpen: boolean
  /** The person opens it, and thereby agrees. */
  onOpen(): void
}

/** A page that a tool wants someone to visit: the whole address as the browser will use it, and what to beware of. */
export function linkPart({ url, language: { strings }, isOpen, onOpen }: LinkPart): TemplateResult {
  const link = inspectUrl(url)
  if (link.kind === 'refused') {
    return html`<section class="link">
      <p class="warning danger">${icon('warning')}<span>${strings.urlRefused(link)} ${strings.notOpened}</span></p>
    </section>`
  }
  const isDangerous = link.warnings.some(({ level }) => level === 'danger')
  const label = (isDangerous ? strings.openAnyway : strings.openSite)(link.displayHost)
  return html`<section class="link">
    <h3 class="quiet">${strings.leadsTo}</h3>
    <p class="address" dir="ltr">${link.before}<strong>${link.host}</strong>${link.after}</p>
    ${link.displayHost === link.host ? nothing : html`<p class="quiet"><bdi dir="ltr">${link.displayHost}</bdi></p>`}
    ${link.warnings.map(
      warning =>
        html`<p class="warning ${warning.level}">${icon(warning.level === 'danger' ? 'warning' : 'info')}<span>${strings.urlWarning(warning, link)}</span></p>`,
    )}
    ${
      isOpen
        ? html`<a
              class="button ${isDangerous ? 'risky' : 'primary'}"
              href=${link.url}
              target="_blank"
              rel="noopener noreferrer"
              referrerpolicy="no-referrer"
              @click=${onOpen}
              >${icon('outside', 18)}<bdi>${label}</bdi></a
            >
            <p class="quiet">${strings.openMore}</p>`
        : nothing
    }
  </section>`
}

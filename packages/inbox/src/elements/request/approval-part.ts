import { visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { html, nothing, type TemplateResult } from 'lit'
import type { Strings } from '../../strings/en.js'
import { icon } from '../icons.js'

/** Whether someone has accepted, and others have to as well. */
export function hasAccepted({ approval, ending }: AskEntry, principal: string | undefined): boolean {
  return ending === undefined && principal !== undefined && approval?.by.includes(principal) === true
}

/** Who has accepted and who has not, by name; and for whom someone stands in. */
export function approvalPart(
  { approval, quorum, to, ending }: AskEntry,
  principal: string | undefined,
  strings: Strings,
): TemplateResult | typeof nothing {
  const name = (who: string): string => (who === principal ? strings.you : `\u2068${visible(who)}\u2069`)
  const away = principal === undefined || ending !== undefined ? undefined : to?.standIns?.[principal]
  const standsIn = away === undefined ? nothing : html`<p class="quiet">${strings.standsIn(name(away))}</p>`
  if (approval === undefined)
    return quorum === undefined ? standsIn : html`<p class="quiet">${strings.quorum(quorum)}</p>${standsIn}`
  const { by, of, missing, groups = [] } = approval
  // Where one is enough, the outcome says who it was, and who is asked alone needs not be told.
  if (of === 1 && (ending !== undefined || (missing.length < 2 && groups.length === 0))) return standsIn
  return html`<div class="approval">
      ${icon(by.length >= of ? 'check' : 'person', 18)}
      <p>
        ${strings.approval(
          by.map((who, place) => (place === 0 && who === principal ? strings.youFirst : name(who))),
          of,
        )} ${missing.length === 0 ? nothing : strings.missing(missing.map(name))}
        ${groups.length === 0 ? nothing : strings.missingGroups(groups.map(group => `\u2068${visible(group)}\u2069`))}
      </p>
    </div>
    ${standsIn}`
}

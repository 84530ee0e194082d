import type { Person } from './asks/policy.js'
import { seenBy } from './asks/visibility.js'
import type { DeskState } from './state/desk-state.js'
import { openRequests } from './state/session-record.js'

/** What is open, for a person to read, with no script. */
export function openAsksPage(state: DeskState, person: Person): string {
  const items = Array.from(state.sessions()).flatMap(record =>
    openRequests(seenBy(record, person)).map(
      ({ message = '' }) =>
        `<li><b>${escapeHtml(record.server)}</b> (${escapeHtml(record.title)}): ${escapeHtml(message)}</li>`,
    ),
  )
  const list = items.length > 0 ? `<ul>${items.join('')}</ul>` : '<p>Nothing is open.</p>'
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Desk</title><h1>Open asks</h1>${list}</html>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

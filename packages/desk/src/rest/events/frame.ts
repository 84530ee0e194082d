import { openAsk } from '../../asks/ask-view.js'
import type { Happening } from '../../asks/happening.js'
import type { MembersOf } from '../../policy/approval.js'

/** A happening as a server-sent event. */
export function frameOf(happening: Happening, id: string, membersOf: MembersOf): string {
  return eventFrame(happening.event, dataOf(happening, membersOf), id)
}

export function eventFrame(event: string, data: object, id: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Says that the connection lives, and how far the client has got, also when nothing was for it. */
export function aliveFrame(id: string): string {
  return `: alive\nid: ${id}\n\n`
}

/** A draft is told without its value: feeds end up in logs. Those who may answer read it with the ask. */
function dataOf(happening: Happening, membersOf: MembersOf): object {
  const { event, ask, session, at, by, question, state, ended, comment, report } = happening
  if (event === 'asked') return openAsk({ session, ask }, membersOf)
  const base = { id: ask.id, session: session.id, server: session.server, at, ...(by !== undefined && { by }) }
  switch (event) {
    case 'drafted':
      return { ...base, question, state }
    case 'commented':
      return { ...base, text: comment?.text }
    case 'reported':
      return { ...base, report }
    default:
      return { ...base, ended }
  }
}

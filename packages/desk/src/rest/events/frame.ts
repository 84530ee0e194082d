import { openAsk } from '../asks/ask-view.js'
import type { Happening } from '../asks/happening.js'

/** A happening as a server-sent event. `hasId` is false when more follow from the same line. */
export function frameOf(happening: Happening, hasId: boolean): string {
  return eventFrame(happening.event, dataOf(happening), hasId ? happening.seq : undefined)
}

export function eventFrame(event: string, data: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Says that the connection lives, and how far the client has got, also when nothing was for it. */
export function aliveFrame(id: number): string {
  return `: alive\nid: ${id}\n\n`
}

/** A draft is told without its value: feeds end up in logs. Whoever may answer reads it with the ask. */
function dataOf({ event, known, ask, session, at, by, question, state, ended, request }: Happening): object {
  if (event === 'asked' && known !== undefined && request !== undefined) return openAsk(known, request)
  const { server } = known ?? {}
  const base = { id: ask, session, ...(server !== undefined && { server }), at, ...(by !== undefined && { by }) }
  return event === 'drafted' ? { ...base, question, state } : { ...base, ended }
}

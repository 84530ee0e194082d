// Searches of people in the pages of widgets, while they type, brought to the server whose ask it is: in this process, or one that waits
// here for the ask. Where neither knows the call, a page goes on without.
import type { FoundOption } from '@beckon/core/widgets'
import { maxSearchChars, widgetMeta } from '@beckon/core/widgets'
import type { FindOptions } from 'beckon/desk/adapter'
import { mayAnswer, type Viewer } from '../policy/audience.js'
import type { Sessions } from '../sessions/sessions.js'
import { findAskFor } from './found-ask.js'
import type { RemoteSearches } from './remote-searches.js'

/** What someone types, about which ask. */
interface Typed {
  readonly session: string
  readonly ask: string
  readonly search: string
}

/** So many searches of one person may wait for an author's function, on this node. */
const maxWaiting = 8
export const maxOptions = 100

export class OptionFinders {
  readonly #byServer = new Map<string, Set<FindOptions>>()
  readonly #waiting = new Map<string, number>()
  readonly #sessions: Sessions
  readonly #remote: Pick<RemoteSearches, 'find'>

  constructor(sessions: Sessions, remote: Pick<RemoteSearches, 'find'>) {
    this.#sessions = sessions
    this.#remote = remote
  }

  /** Those of a server's processes that are in this one. */
  add(server: string, find: FindOptions): () => void {
    const known = this.#byServer.get(server) ?? new Set()
    this.#byServer.set(server, known.add(find))
    return () => {
      known.delete(find)
      if (known.size === 0) this.#byServer.delete(server)
    }
  }

  /** What was found for someone who may answer an open ask; undefined where nobody could look. */
  async find(viewer: Viewer, { session, ask, search }: Typed): Promise<readonly FoundOption[] | undefined> {
    const waiting = this.#waiting.get(viewer.principal) ?? 0
    if (waiting >= maxWaiting) return undefined
    this.#waiting.set(viewer.principal, waiting + 1)
    try {
      const found = await findAskFor(this.#sessions, viewer, { session, ask })
      if (found === undefined || !found.session.open.has(ask) || !mayAnswer(found.ask.policy, viewer)) return undefined
      const handle = handleIn(found.ask.request._meta?.[widgetMeta])
      if (handle === undefined) return undefined
      return (
        (await this.#ask(found.session.server, handle, search)) ?? (await this.#remote.find({ session, ask }, search))
      )
    } finally {
      const left = (this.#waiting.get(viewer.principal) ?? 1) - 1
      if (left === 0) this.#waiting.delete(viewer.principal)
      else this.#waiting.set(viewer.principal, left)
    }
  }

  async #ask(server: string, handle: string, search: string): Promise<readonly FoundOption[] | undefined> {
    for (const find of this.#byServer.get(server) ?? []) {
      try {
        return (await find(handle, search.slice(0, maxSearchChars))).slice(0, maxOptions)
      } catch {
        // The call may be another one's of the same name.
      }
    }
    return undefined
  }
}

function handleIn(widget: unknown): string | undefined {
  return typeof widget === 'object' && widget !== null && 'find' in widget && typeof widget.find === 'string'
    ? widget.find
    : undefined
}

// A desk in another process, for asks of hosts: each ask is a call there that asks once.
import { randomUUID } from 'node:crypto'
import type { AskingDesk, AskingTurn, DeskOutcome } from '@beckon/host'
import type { DeskPlace } from 'beckon/desk/adapter'
import { deskAt } from '../desk/remote.js'
import { subjectOf } from './around-asks.js'
import { askOf } from './ask-of.js'

type Ending = Awaited<ReturnType<DeskPlace['ask']>>

/** As long as a desk has an ask open by itself. */
const dayMs = 24 * 60 * 60 * 1000

/** `tell` is told of every ask, and where it can be answered. */
export function remoteDesk(
  address: string,
  tell: (server: string, message: string, link: string) => void,
): AskingDesk & { readonly url: string } {
  const { url, desk } = deskAt(address)

  function turnOf(server: string, id: string, about: string, end: () => Promise<void>): AskingTurn {
    const ask: AskingTurn['ask'] = async (request, terms = {}) => {
      const { timeoutMs = dayMs, signal = new AbortController().signal } = terms
      const subject = subjectOf(request) ?? { tool: about, input: {}, destructive: false }
      const place = await desk.attend({ id: randomUUID(), server, ...subject, principal: undefined })
      tell(server, request.message, place.link)
      try {
        return outcomeOf(await place.ask(request.id, askOf(request), { expiresAt: Date.now() + timeoutMs, signal }))
      } finally {
        // What a person answered is not lost because the desk could not be told that this is over.
        await place.leave(signal.aborted ? 'cancel' : 'complete').catch(() => {})
      }
    }
    return { id, ask, complete: end, cancel: end, fail: end }
  }

  return {
    url,
    async session(id, { server = id } = {}) {
      let turn: AskingTurn | undefined
      const end = async () => {
        turn = undefined
      }
      return {
        id,
        activeTurn: () => turn,
        async startTurn(about = server) {
          turn = turnOf(server, randomUUID(), about, end)
          return turn
        },
      }
    },
  }
}

function outcomeOf(ending: Ending): DeskOutcome {
  if (ending.kind === 'failed') throw ending.error
  if (ending.kind !== 'outcome' || ending.outcome.action === 'cancel') return { action: 'cancel' }
  if (ending.outcome.action === 'decline') return { action: 'decline' }
  const { content } = ending.outcome
  const isRecord = typeof content === 'object' && content !== null && !Array.isArray(content)
  // The host checks it against the form.
  return { action: 'accept', content: (isRecord ? content : {}) as never }
}

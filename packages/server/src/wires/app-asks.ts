// For hosts that show views of a tool and cannot ask: the result has the ask for the tool's view, which answers through a tool
// that is for views alone. The handle is single use and stands for the sealed state, which stays here, bound to who called.
// Deliberately not defended: a host that lets its model call a tool that is hidden from it.
import { widgetMeta } from '@beckon/core/widgets'
import type { OpenAsk } from '../call/ask.js'
import { readReply } from '../protocol/elicitation.js'
import { RequestError } from '../protocol/request-error.js'
import { rev20260728 } from '../protocol/rev2026/rev2026.js'
import type { JsonValue } from '../store/index.js'
import type { Relayed } from './relay.js'
import { type HandleLimits, singleUseHandles } from './single-use-handles.js'

/** The tool through which a view answers. */
export const answerTool = 'beckon_answer'

/** Where the result of a tool has an ask for its view. */
const askMeta = 'beckon/ask'

/** What is asked, and of which call. */
interface AppAsk {
  readonly state: string
  readonly tool: string
  /** As they were called with. */
  readonly args: Readonly<Record<string, unknown>>
  readonly principal: string | undefined
}

interface Ticket {
  readonly state: string
  readonly ask: string
  readonly tool: string
  readonly args: JsonValue
}

export interface AppAsks {
  /** What goes beside a result, for the view, and what a model is told. */
  result(asks: readonly OpenAsk[], from: AppAsk): Promise<{ text: string; meta: Record<string, unknown> }>
  /** Takes a handle out of circulation: which call goes on, and with which answer. */
  redeem(given: unknown): Promise<Relayed & Pick<AppAsk, 'tool' | 'args'>>
}

export function createAppAsks(limits: HandleLimits): AppAsks {
  const handles = singleUseHandles<Ticket>('app', 18, limits)
  return {
    async result([open], { state, tool, args, principal }) {
      if (open?.ask.kind !== 'form') throw new Error('A view is asked for a form.')
      const { id, ask, expiresAt } = open
      // They came as JSON.
      const ticket = { state, ask: id, tool, args: args as JsonValue }
      const handle = await handles.issue(ticket, { principal, expiresAt })
      const { params } = rev20260728.writeAsk(ask, {})
      const text =
        `A person is asked in the view of this tool: ${JSON.stringify(ask.message)}. Wait for them, and do not answer for them. ` +
        'Once they have answered, the call continues, and you are told its result.'
      const _meta = { [widgetMeta]: ask.widget }
      return { text, meta: { [askMeta]: { handle, tool: answerTool, ...params, _meta } } }
    },

    async redeem(given) {
      const { handle, action, content } = (given ?? {}) as Record<string, unknown>
      const ticket = await handles.redeem(handle)
      if (ticket === undefined) throw new RequestError(-32602, 'This was answered before, or its time is over.')
      const { state, tool, args } = ticket
      return {
        state,
        tool,
        args: args as AppAsk['args'],
        readReply: (kind, id) => (id === ticket.ask ? readReply(kind, { action, content }) : undefined),
      }
    },
  }
}

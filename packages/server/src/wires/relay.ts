// For clients that cannot ask: the result asks the model to put the question and to call again with the answer, under
// one argument of our own. The handle in it is short, single use, and stands for the sealed state, which stays here.
import { isRecord } from '@beckon/core/json-rpc'
import type { OpenAsk } from '../call/ask.js'
import type { Reply } from '../call/journal.js'
import { messageWith } from '../crypto/bound-message.js'
import { readReply } from '../protocol/elicitation.js'
import { RequestError } from '../protocol/request-error.js'
import type { Clock } from '../runtime/clock.js'
import type { JsonValue } from '../store/index.js'
import { type HandleLimits, singleUseHandles } from './single-use-handles.js'

/** The argument under which a model brings an answer back. */
export const relayArgument = 'beckon'

/** The schema of that argument, for a tool's input schema. */
export const relaySchema: Record<string, unknown> = {
  type: 'object',
  description:
    'Only when an earlier result of this tool asked for it: the handle from that result, and the answer of the person.',
  properties: {
    handle: { type: 'string' },
    action: { type: 'string', enum: ['accept', 'decline', 'cancel'] },
    answer: { description: 'What the person answered, by field.' },
  },
  required: ['handle'],
}

/** What a model brings back. */
export interface Relayed {
  readonly state: string
  /** Reads the answer to the one ask that was relayed. */
  readReply(kind: OpenAsk['ask']['kind'], id: string): Reply | undefined
}

/** A call that waits for a model to come back to it. */
interface Relayable {
  readonly state: string
  readonly tool: string
  readonly principal: string | undefined
}

export interface Relay {
  /** What a model is told to ask. */
  result(asks: readonly OpenAsk[], from: Relayable): Promise<string>
  /** What a model is told to call again for: a page that a person is not done with. */
  waiting(from: Relayable): Promise<string>
  /** Takes the handle of an answer out of circulation. */
  redeem(argument: unknown): Promise<Relayed>
}

/** The state itself expires with what is waited for. */
const waitingMs = 24 * 60 * 60 * 1000

interface Ticket {
  state: string
  ask: string
  bare: boolean
}

export function createRelay(clock: Pick<Clock, 'now'>, limits: HandleLimits): Relay {
  const handles = singleUseHandles<Ticket>('relay', 9, limits)
  const issue = ({ principal }: Relayable, ticket: Ticket, expiresAt: number) =>
    handles.issue(ticket, { principal, expiresAt })

  return {
    async result([open], from) {
      if (open === undefined) throw new Error('There is nothing to relay.')
      const { ask, id, expiresAt } = open
      const bare = ask.kind === 'form' && Object.keys(ask.form.properties).join() === 'value'
      const handle = await issue(from, { state: from.state, ask: id, bare }, expiresAt)
      return words(open, handle, from.tool)
    },

    async waiting(from) {
      // No ask has this name: the handle brings the state back, and no answer.
      const handle = await issue(from, { state: from.state, ask: '', bare: false }, clock.now() + waitingMs)
      const again = `call "${from.tool}" again with the same arguments and "${relayArgument}": {"handle":"${handle}"}`
      return `The person is not done on that page yet. When they say that they are, ${again}.`
    },

    async redeem(argument) {
      const { handle, action = 'accept', answer } = isRecord(argument) ? argument : {}
      const ticket = await handles.redeem(handle)
      if (ticket === undefined) {
        throw new RequestError(
          -32602,
          `The handle in "${relayArgument}" is not known, was used before, or has expired. Call the tool again without it.`,
        )
      }
      const content = ticket.bare && !isRecord(answer) ? { value: answer as JsonValue } : answer
      return {
        state: ticket.state,
        readReply: (kind, id) => (id === ticket.ask ? nobodys(readReply(kind, { action, content })) : undefined),
      }
    },
  }
}

/** A model says whose answer it is as it likes. */
function nobodys(reply: Reply | undefined): Reply | undefined {
  if (reply?.kind !== 'outcome') return reply
  const { by: _, ...outcome } = reply.outcome
  return { ...reply, outcome }
}

function words({ ask }: OpenAsk, handle: string, tool: string): string {
  const message = 'message' in ask ? messageWith(ask.message, ask.show) : ''
  const again = `call "${tool}" again with the same arguments and "${relayArgument}": `
  switch (ask.kind) {
    case 'form':
      return (
        `A person has to answer before this can go on. Ask them, and do not answer for them: ${JSON.stringify(message)}. ` +
        `The answer has this form: ${JSON.stringify(ask.form)}. Then ${again}{"handle":"${handle}","answer":<the answer>}, ` +
        `or {"handle":"${handle}","action":"decline"} if they decline.`
      )
    case 'url':
      return (
        `A person has to open a page before this can go on. Show them this: ${JSON.stringify(message)} ${ask.url} ` +
        `When they say that they are done, ${again}{"handle":"${handle}","action":"accept"}.`
      )
    default:
      return (
        `A person has to agree before this can go on. Ask them, and do not answer for them: ${JSON.stringify(message)}. ` +
        `Then ${again}{"handle":"${handle}","action":"accept"} if they agree, or "decline" if they do not.`
      )
  }
}

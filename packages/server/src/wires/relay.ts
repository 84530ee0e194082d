// For clients that cannot ask: the result asks the model to put the question and to call again with the answer, under
// one argument of our own. The handle in it is short, single use, and stands for the sealed state, which stays here.
import { randomBytes } from 'node:crypto'
import { messageWith } from '@beckon/core/blocks'
import type { OpenAsk } from '../call/ask.js'
import type { Reply } from '../call/journal.js'
import { digest } from '../crypto/digest.js'
import { readReply } from '../protocol/elicitation.js'
import { RequestError } from '../protocol/request-error.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import type { Clock } from '../runtime/clock.js'
import { Cell } from '../store/handles/index.js'
import type { JsonValue, Store } from '../store/index.js'

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

export interface RelayOptions {
  store: Store
  clock: Pick<Clock, 'now'>
  /** So many handles are good at a time, in a store that is not shared; the oldest goes first. */
  maxHandles: number
}

export function createRelay({ store, clock, maxHandles }: RelayOptions): Relay {
  const issued = () =>
    new BoundedMap<string, true>({ max: maxHandles, onEvict: (_, key) => void store.delete(key).catch(() => {}) })
  // A handle opens something: its key does not tell it.
  const keyOf = (handle: string) => `relay/${digest(handle)}`
  // Strangers, of whom there may be any number, do not push out those who are known.
  const byStrangers = issued()
  const byPrincipals = issued()

  async function issue({ principal }: Relayable, ticket: Ticket, expiresAt: number): Promise<string> {
    const handle = randomBytes(9).toString('base64url')
    const key = keyOf(handle)
    await new Cell<Ticket>(store, key).set(ticket, { expiresAt })
    if (!store.shared) (principal === undefined ? byStrangers : byPrincipals).set(key, true)
    return handle
  }

  async function takeBack(key: string): Promise<boolean> {
    byStrangers.delete(key)
    byPrincipals.delete(key)
    return store.delete(key)
  }

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
      const { handle, action = 'accept', answer } = isObject(argument) ? argument : {}
      const key = keyOf(String(handle))
      const ticket = await new Cell<Ticket>(store, key).get()
      if (ticket === undefined || !(await takeBack(key))) {
        throw new RequestError(
          -32602,
          `The handle in "${relayArgument}" is not known, was used before, or has expired. Call the tool again without it.`,
        )
      }
      const content = ticket.bare && !isObject(answer) ? { value: answer as JsonValue } : answer
      return {
        state: ticket.state,
        readReply: (kind, id) => (id === ticket.ask ? readReply(kind, { action, content }) : undefined),
      }
    },
  }
}

function words({ ask }: OpenAsk, handle: string, tool: string): string {
  const message = 'message' in ask ? messageWith(ask.message, ask.show ?? []) : ''
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

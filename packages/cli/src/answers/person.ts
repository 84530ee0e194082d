// Whoever answers what a server asks, whether a person at the terminal or a file, seen as a desk: `@beckon/host` takes
// an official client's elicitations to a desk in every era, so nothing of the protocol is repeated here.
import type { Content, Question } from '@beckon/core'
import type { AskingDesk, AskingTurn, DeskOutcome, DeskRequest } from '@beckon/host'

/** One ask, as it is put to whoever answers. */
export interface PutAsk {
  /** The name of the server that asks, and whoever it says asks through it. */
  readonly server: string
  readonly tool: string | undefined
  readonly message: string
  /** A page to visit, instead of questions. */
  readonly url: string | undefined
  readonly questions: readonly Question[]
  /** Whether the tool says of itself that it can destroy something. */
  readonly isDestructive: boolean
  /** What is filled in beforehand, by question id. */
  readonly presets: Content
  /** Aborts when the ask is withdrawn. */
  readonly signal: AbortSignal
}

/** Answers asks. */
export type Person = (ask: PutAsk) => Promise<DeskOutcome>

/** A desk with one person at it, who is asked one thing at a time. */
export function deskOf(person: Person): AskingDesk {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async session(id, { server = 'A server' } = {}) {
      let turn: AskingTurn | undefined
      const end = async () => {
        turn = undefined
      }
      const ask: AskingTurn['ask'] = (request, { signal = new AbortController().signal } = {}) => {
        const answer = last.then(() => (signal.aborted ? cancelled : person(putAsk(server, request, signal))))
        last = answer.catch(() => {})
        return answer
      }
      return {
        id,
        activeTurn: () => turn,
        async startTurn() {
          turn = { id, ask, complete: end, cancel: end, fail: end }
          return turn
        },
      }
    },
  }
}

const cancelled: DeskOutcome = { action: 'cancel' }

function putAsk(server: string, request: DeskRequest, signal: AbortSignal): PutAsk {
  const { message, url, questions = [], answers = {}, _meta } = request
  const tool = _meta?.['beckon/tool']
  const drafts = Object.entries(answers).flatMap(([id, answer]) =>
    answer.state === 'draft' ? [[id, answer.value.value] as const] : [],
  )
  const defaults = questions.flatMap(question =>
    'defaultValue' in question && question.defaultValue !== undefined
      ? [[question.id, question.defaultValue] as const]
      : [],
  )
  const asker = _meta?.['beckon/asker']
  return {
    server: typeof asker === 'string' ? `${server} › ${asker}` : server,
    tool: typeof tool === 'string' ? tool : undefined,
    message,
    url,
    questions,
    isDestructive: _meta?.['beckon/destructive'] === true,
    presets: Object.fromEntries([...defaults, ...drafts]),
    signal,
  }
}

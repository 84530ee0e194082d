// The one who answers what a server asks, whether a person at the terminal or a file, seen as a desk: `@beckon/host` takes
// an official client's elicitations to a desk in every era, so nothing of the protocol is repeated here.
import { type Content, draftsOf, type Form, type Question, questionsOf, SerialQueue } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { AskDesk, AskSubject, DeskOutcome, DeskRequest } from 'beckon/desk/adapter'

/** One ask, as it is shown to the person who answers. */
export interface ShownAsk {
  /** The name of the server that asks, and the one it says asks through it. */
  readonly server: string
  readonly tool: string | undefined
  readonly message: string
  /** What is shown beside it. */
  readonly show: readonly Block[]
  /** A page to visit, instead of questions. */
  readonly url: string | undefined
  readonly questions: readonly Question[]
  /** What the answers have to fit; absent for a yes or no, and for a page. */
  readonly form: Form | undefined
  /** Whether the tool says of itself that it can destroy something. */
  readonly isDestructive: boolean
  /** What is filled in beforehand, by question id. */
  readonly presets: Content
  /** Aborts when the ask is withdrawn. */
  readonly signal: AbortSignal
}

/** Answers asks. */
export type Person = (ask: ShownAsk) => Promise<DeskOutcome>

/** A desk with one person at it, who is asked one thing at a time. */
export function deskOf(person: Person): AskDesk {
  const queue = new SerialQueue()
  return {
    async open(subject, request) {
      const withdrawal = new AbortController()
      return {
        id: request.id,
        link: '',
        outcome(signal = withdrawal.signal) {
          const either = AbortSignal.any([signal, withdrawal.signal])
          return queue.run(() => (either.aborted ? cancelled : person(shownAsk(subject, request, either))))
        },
        withdraw: async () => withdrawal.abort(),
      }
    },
  }
}

const cancelled: DeskOutcome = { action: 'cancel' }

function shownAsk(
  { server, tool, asker, destructive }: AskSubject,
  { message, show = [], url, form }: DeskRequest,
  signal: AbortSignal,
): ShownAsk {
  const questions = form === undefined ? [] : questionsOf(form)
  const drafts = Object.entries(form === undefined ? {} : draftsOf(form)).flatMap(([id, answer]) =>
    answer.state === 'draft' ? [[id, answer.value.value] as const] : [],
  )
  const defaults = questions.flatMap(question =>
    'defaultValue' in question && question.defaultValue !== undefined
      ? [[question.id, question.defaultValue] as const]
      : [],
  )
  return {
    server: asker === undefined ? server : `${server} › ${asker}`,
    tool,
    message,
    show,
    url,
    questions,
    form,
    isDestructive: destructive === true,
    presets: Object.fromEntries([...defaults, ...drafts]),
    signal,
  }
}

import { type Answer, contentOf, type FieldValue, type Question } from '@beckon/core'
import type { InputRequest } from '@beckon/core/chat'
import type { Ended } from './happening.js'
import type { KnownAsk } from './known-ask.js'

/** What an ask is about, as everyone who may answer it sees it. */
export interface AskSubject {
  readonly id: string
  readonly kind: 'confirm' | 'form' | 'url'
  readonly session: string
  readonly server: string
  /** Who asks, where that is not the server itself. */
  readonly asker?: string
  readonly tool?: string
  readonly arguments?: unknown
  readonly message: string
  readonly url?: string
  readonly askedAt: number
  readonly expiresAt: number
}

export interface OpenAsk extends AskSubject {
  readonly status: 'open'
  readonly questions: readonly Question[]
  /** By question id. */
  readonly drafts: Readonly<Record<string, Draft>>
}

export interface EndedAsk extends AskSubject {
  readonly status: 'ended'
  readonly ended: Ended
}

/** A question's answer so far; the value as plain JSON. */
export interface Draft {
  readonly state: Answer['state']
  readonly value?: FieldValue
}

export function openAsk(ask: KnownAsk, request: InputRequest): OpenAsk {
  const { questions = [], answers = {} } = request
  const drafts = questions.flatMap(question => {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined
    return answer === undefined ? [] : [[question.id, draftOf(question, answer)] as const]
  })
  return { ...subjectOf(ask), status: 'open', questions, drafts: Object.fromEntries(drafts) }
}

export function endedAsk(ask: KnownAsk, ended: Ended): EndedAsk {
  return { ...subjectOf(ask), status: 'ended', ended }
}

export function draftOf(question: Question, answer: Answer): Draft {
  if (answer.state === 'skipped') return { state: 'skipped' }
  const { state, value } = answer
  return { state, ...contentOf([{ ...question, id: 'value' }], { value: { state: 'submitted', value } }) }
}

export function subjectOf({ id, session, server, request, policy, askedAt }: KnownAsk): AskSubject {
  const { message = '', url, questions = [], _meta: about = {} } = request
  const asker = about['beckon/asker']
  const tool = about['beckon/tool']
  const input = about['beckon/arguments']
  return {
    id,
    kind: url !== undefined ? 'url' : questions.length > 0 ? 'form' : 'confirm',
    session,
    server,
    ...(typeof asker === 'string' && { asker }),
    ...(typeof tool === 'string' && { tool }),
    ...(input !== undefined && { arguments: input }),
    message,
    ...(url !== undefined && { url }),
    askedAt,
    expiresAt: policy.expiresAt,
  }
}

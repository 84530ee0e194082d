import { type Answer, contentOf, type FieldValue, type Question } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { Comment, Report } from '../model/session.js'
import { showOf } from '../model/shown.js'
import { type AskApproval, approvalOf, type MembersOf } from '../policy/approval.js'
import { audienceOf, type NamedAudience } from '../policy/audience.js'
import type { FoundAsk } from './found-ask.js'
import { type Ended, endedOf } from './happening.js'

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
  /** Whether the tool can destroy something. */
  readonly destructive?: true
  /** Whether it changes nothing. */
  readonly readOnly?: true
  /** It is accepted with a passkey. */
  readonly person?: 'verified'
  /** The rule that says whom it is for. */
  readonly rule?: string
  readonly title: string
  readonly message: string
  /** What is shown beside it. */
  readonly show?: readonly Block[]
  readonly url?: string
  readonly askedAt: number
  readonly expiresAt: number
  /** Whom it is for; absent: anyone on the desk. */
  readonly to?: NamedAudience
  /** How far it is where it says how many have to accept. */
  readonly approval?: AskApproval
  readonly comments?: readonly Comment[]
  /** How the call ended. */
  readonly report?: Report
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

export function askView(found: FoundAsk, membersOf: MembersOf): OpenAsk | EndedAsk {
  const { ask } = found
  return ask.ending === undefined ? openAsk(found, membersOf) : endedAsk(found, endedOf(ask.ending), membersOf)
}

export function openAsk(found: FoundAsk, membersOf: MembersOf): OpenAsk {
  const { drafts: answers, request } = found.ask
  const { questions = [] } = request
  const drafts = questions.flatMap(question => {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined
    return answer === undefined ? [] : [[question.id, draftOf(question, answer)] as const]
  })
  return { ...withPeople(found, membersOf), status: 'open', questions, drafts: Object.fromEntries(drafts) }
}

function endedAsk(found: FoundAsk, ended: Ended, membersOf: MembersOf): EndedAsk {
  return { ...withPeople(found, membersOf), status: 'ended', ended }
}

/** What an ask is about, with who is asked, and what was said about it. */
function withPeople(found: FoundAsk, membersOf: MembersOf): AskSubject {
  const { session, ask } = found
  const to = audienceOf(ask.policy)
  const approval = approvalOf(ask, membersOf)
  return {
    ...subjectOf(found),
    ...(to && { to }),
    ...(approval && { approval }),
    ...(ask.comments && { comments: ask.comments }),
    ...(session.report && { report: session.report }),
  }
}

export function draftOf(question: Question, answer: Answer): Draft {
  if (answer.state === 'skipped') return { state: 'skipped' }
  const { state, value } = answer
  return { state, ...contentOf([{ ...question, id: 'value' }], { value: { state: 'submitted', value } }) }
}

export function subjectOf({ session: { id: session, server, title }, ask }: FoundAsk): AskSubject {
  const { id, request, policy, askedAt, rule } = ask
  const { message = '', url, questions = [], _meta: about = {} } = request
  const asker = about['beckon/asker']
  const tool = about['beckon/tool']
  const input = about['beckon/arguments']
  const show = showOf(request)
  return {
    id,
    kind: url !== undefined ? 'url' : questions.length > 0 ? 'form' : 'confirm',
    session,
    server,
    ...(typeof asker === 'string' && { asker }),
    ...(typeof tool === 'string' && { tool }),
    ...(input !== undefined && { arguments: input }),
    ...(about['beckon/destructive'] === true && { destructive: true }),
    ...(about['beckon/readOnly'] === true && { readOnly: true }),
    ...(policy.person === 'verified' && { person: policy.person }),
    ...(rule !== undefined && { rule }),
    title,
    message,
    ...(show.length > 0 && { show }),
    ...(url !== undefined && { url }),
    askedAt,
    expiresAt: policy.expiresAt,
  }
}

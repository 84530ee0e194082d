// The threat: an accept of an ask that takes a passkey, without one, or with one that confirmed something else. Whether an
// authenticator's word is good is found out before (that takes time, and cannot be asked twice); what it was given for is
// compared here, with the session as it is when the accept is decided: a draft that somebody changed meanwhile shows.
import { contentOf } from '@beckon/core'
import { canonicalJson } from '@beckon/core/canonical-json'
import type { Refusal } from '@beckon/core/live'
import { subjectOf } from '../asks/ask-view.js'
import type { Ask, Session } from '../model/session.js'
import { showOf, widgetShown } from '../model/shown.js'
import { acceptedAnswers } from './accepted-answers.js'

/** What an authenticator's word came to: good for what it names, or not. */
export type Proof = { readonly about: AboutAccept } | { readonly refused: Refusal }

/** All that an accept with a passkey confirms: the ask, what was shown, and the answer. */
export interface AboutAccept {
  readonly session: string
  readonly ask: string
  readonly server: string
  readonly tool: string | null
  readonly arguments: unknown
  readonly shown: {
    readonly message: string
    readonly url: string | null
    readonly questions: unknown
    readonly show?: unknown
    readonly widget?: unknown
  }
  readonly answer: unknown
}

type Answers = Ask['drafts']

const passkeyRequired: Refusal = { code: 'passkey-required' }
const changed: Refusal = { code: 'passkey-invalid', params: { why: 'changed' } }

/** What someone confirms who accepts an ask with these answers. */
export function aboutAccept(session: Session, ask: Ask, answers: Answers = {}): AboutAccept {
  const { server, tool = null, arguments: input = null, message, url = null } = subjectOf({ session, ask })
  const { questions = [] } = ask.request
  const show = showOf(ask.request)
  return {
    session: session.id,
    ask: ask.instance,
    server,
    tool,
    arguments: input,
    shown: { message, url, questions, ...(show.length > 0 && { show }), ...widgetShown(ask.request) },
    answer: contentOf(questions, { ...ask.drafts, ...acceptedAnswers(ask, answers) }),
  }
}

/** Why an accept of an ask that takes a passkey does not count; undefined when it does. */
export function passkeyRefusal(
  session: Session,
  ask: Ask,
  answers: Answers | undefined,
  proof: Proof | undefined,
): Refusal | undefined {
  if (proof === undefined) return passkeyRequired
  if ('refused' in proof) return proof.refused
  const isSame = canonicalJson(proof.about) === canonicalJson(aboutAccept(session, ask, answers))
  return isSame ? undefined : changed
}

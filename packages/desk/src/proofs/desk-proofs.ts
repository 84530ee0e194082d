// What is found out of an accept before the desk decides it: whether an authenticator's word is good, and for what. How asks end
// is signed with the decision itself, so that the statement is in the log with the answer, or not at all.

import { contentOf } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
import type { Refusal } from '@beckon/core/live'
import type { OpenPasskeys, Verified } from 'beckon/passkeys'
import type { ReceiptBy, ReceiptKeys } from 'beckon/receipts'
import { aboutAccept, type Proof } from '../actions/accept-with-passkey.js'
import { type Checked, type ClientAction, requestIn, textIn } from '../actions/client-action.js'
import type { ActionProofs } from '../actions/desk-actions.js'
import { subjectOf } from '../asks/ask-view.js'
import type { EventOf } from '../model/events.js'
import { answeredBy } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'
import { showOf, widgetShown } from '../model/shown.js'
import { mayAnswer, type Viewer } from '../policy/audience.js'
import type { Sessions } from '../sessions/sessions.js'
import type { SignEnding } from '../turns/turn.js'

export interface DeskProofsOptions {
  readonly sessions: Pick<Sessions, 'known' | 'load'>
  readonly passkeys?: OpenPasskeys | undefined
  readonly receipts: ReceiptKeys
  /** Whether how every ask ends is signed, or only where that is asked for. */
  readonly signsAll: boolean
  /** Who signs, as a reader sees it. */
  readonly issuer: () => string
}

type Fields = Readonly<Record<string, unknown>>

export class DeskProofs implements ActionProofs {
  readonly #options: DeskProofsOptions

  constructor(options: DeskProofsOptions) {
    this.#options = options
  }

  async check(viewer: Viewer, client: ClientAction): Promise<Checked> {
    if (!(textIn(client.action, 'type') ?? '').endsWith('/inputCompleted')) return {}
    const sign = await this.signer()
    const proof = await this.#prove(viewer, client)
    return { sign, ...(proof && { proof }) }
  }

  async signer(): Promise<SignEnding> {
    await this.#options.receipts.ready()
    return (session, ended) => this.#sign(session, ended)
  }

  /** What an authenticator's word comes to; undefined where there is none, or where none is needed. */
  async #prove(viewer: Viewer, { session: id, action }: ClientAction): Promise<Proof | undefined> {
    const { sessions, passkeys } = this.#options
    const { passkey, response, answers } = action as Fields
    if (passkeys === undefined || passkey === undefined || response !== 'accept') return undefined
    const session = sessions.known(id) ?? (await sessions.load(id))
    const ask = session?.open.get(requestIn(action) ?? '')
    if (session === undefined || ask?.policy.person !== 'verified' || !mayAnswer(ask.policy, viewer)) return undefined
    const about = aboutAccept(session, ask, isRecord(answers) ? (answers as Ask['drafts']) : {})
    const { principal } = viewer
    const verified = await passkeys.people.verify(principal, { kind: 'ask', about }, passkey)
    return verified.isVerified ? { about } : { refused: passkeyProblem(verified) }
  }

  #sign(session: Session, ended: EventOf<'askEnded'>): string | undefined {
    const ask = session.open.get(ended.ask)
    const last = answeredBy(ended)
    if (ask === undefined || (last ?? ended.rule) === undefined || !this.#isSigned(ask)) return undefined
    const { server, tool, arguments: input, message, url } = subjectOf({ session, ask })
    const { questions = [] } = ask.request
    const isAccept = ended.response === 'accept'
    const others = isAccept
      ? ask.approvals.filter(({ principal, digest }) => principal !== last && digest === ended.digest)
      : []
    const by = [...others, { principal: last, method: ended.method, rule: ended.rule }].flatMap(byOf)
    return this.#options.receipts.sign({
      iss: this.#options.issuer(),
      at: ended.at,
      jti: `${ask.id}.${ask.instance}`,
      server,
      ...(tool !== undefined && { tool }),
      ...(input !== undefined && { arguments: input }),
      shown: { message, url, questions, show: showOf(ask.request), ...widgetShown(ask.request) },
      answer: isAccept ? contentOf(questions, { ...ask.drafts, ...ended.answers }) : {},
      action: ended.response,
      by,
      where: 'desk',
    })
  }

  #isSigned({ policy }: Ask): boolean {
    return this.#options.signsAll || policy.person === 'verified' || policy.receipt === true
  }
}

interface By {
  readonly principal?: string | undefined
  readonly method?: 'passkey' | undefined
  readonly rule?: string | undefined
}

function byOf({ principal, method, rule }: By): ReceiptBy[] {
  if (rule !== undefined) return [{ rule, method: 'rule', ...(principal !== undefined && { principal }) }]
  return principal === undefined ? [] : [{ principal, method: method ?? 'click' }]
}

/** Why an authenticator's word does not count. */
export function passkeyProblem({ why }: Extract<Verified, { isVerified: false }>): Refusal {
  if (why === 'none') return { code: 'passkey-missing' }
  return why === 'too-many' ? { code: 'too-many-passkeys' } : { code: 'passkey-invalid', params: { why } }
}

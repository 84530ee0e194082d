// Signed statements of what came back in a client. Those of our own page and of the desk are made there.
import { questionsOf } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { Ending, PersonAsk } from '../call/ask.js'
import type { Call } from '../call/call.js'
import { messageWith } from '../crypto/bound-message.js'
import { rendersAsks, showsViews } from '../protocol/capabilities.js'

/** What an answer was, in words: digests of them are signed. */
interface AnswerToSign {
  readonly at: number
  readonly id: string
  readonly tool: string
  readonly arguments: unknown
  readonly shown: ShownAsk
  readonly answer: unknown
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly principal: string | undefined
}

interface ShownAsk {
  readonly message: string
  readonly questions?: ReturnType<typeof questionsOf>
  readonly show?: readonly Block[]
  /** The widget that showed it, with what it was given. */
  readonly widget?: object
}

/** Signs answers. */
export interface AskSigner {
  /** Whether every answer is signed, or only those with a passkey. */
  readonly signsAll: boolean
  sign(answered: AnswerToSign): Promise<string>
}

/** The same for one call. */
export interface AskReceipts extends AskSigner {
  /** A statement that goes with the result of the tool. */
  collect(receipt: string): void
}

interface Asked {
  readonly call: Call
  readonly receipts: AskReceipts
  readonly subject: { readonly name: string; readonly input: unknown }
  readonly ask: PersonAsk
  /** Its place among the asks of the call. */
  readonly position: number
}

/** An ending with its statement, once for the call: a replay finds the same. */
export async function withReceipt(ending: Ending, { call, receipts, subject, ask, position }: Asked): Promise<Ending> {
  if (ending.kind !== 'outcome') return ending
  const { outcome } = ending
  // Nobody answered, or nobody knows who: there is nothing to state.
  const isAnswered = outcome.action !== 'cancel' || outcome.why === undefined
  const isSigned = outcome.receipt !== undefined || (receipts.signsAll && isAnswered && ask.kind !== 'url')
  if (!isSigned) return ending
  const receipt =
    outcome.receipt ??
    (await call.step(`receipt ${position}`, () =>
      receipts.sign({
        at: call.now(),
        id: `${call.id}.${position}`,
        tool: subject.name,
        arguments: subject.input,
        shown: shownInClient(ask, call),
        answer: outcome.action === 'accept' ? outcome.content : {},
        action: outcome.action,
        principal: call.principal,
      }),
    ))
  // What someone typed can be found by trying from its digest: only a yes or no goes to the client by itself.
  if (ask.kind === 'confirm') receipts.collect(receipt)
  return { ...ending, outcome: { ...outcome, receipt } }
}

/** What a person has before them where all of it is drawn. */
export function shownOf(ask: PersonAsk): ShownAsk {
  const { message, show } = ask
  return { message, ...(ask.kind === 'form' && { questions: questionsOf(ask.form) }), ...(show && { show }) }
}

/** What was sent to a client to be shown: words alone, which may be a part of the blocks and then have the digest of all. */
function shownInClient(ask: PersonAsk, { peer }: Call): ShownAsk {
  const { show, message, ...shown } = shownOf(ask)
  return { message: messageWith(message, show), ...shown, ...(hasViewsFor(ask, peer) && widgetShown(ask)) }
}

/** Whether a client shows the page of a widget: in place of a form, or, where it cannot ask, with a result. */
function hasViewsFor(ask: PersonAsk, { capabilities }: Call['peer']): ask is Extract<PersonAsk, { kind: 'form' }> {
  return (
    ask.kind === 'form' &&
    (rendersAsks(capabilities) || (showsViews(capabilities) && capabilities.elicitation === undefined))
  )
}

/** By what its page searches is nothing that anybody saw. */
function widgetShown({ widget }: Extract<PersonAsk, { kind: 'form' }>): Pick<ShownAsk, 'widget'> | undefined {
  if (widget === undefined) return undefined
  const { find: _, ...shown } = widget
  return { widget: shown }
}

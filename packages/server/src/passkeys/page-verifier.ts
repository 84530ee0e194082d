// The page where a person confirms with a passkey what a tool asks. Who is there was checked before: the link is for one person.
// A form is filled in first and confirmed as it was filled in: what the authenticator signs has the answers in it.
import { type Content, checkContent, type Form, type Outcome } from '@beckon/core'
import type { Block } from '@beckon/core/blocks'
import type { AskSettings } from '../author/ask-person.js'
import { shownOf } from '../author/receipts.js'
import type { PageVerifier, VerifiableAsk } from '../author/send-verified.js'
import type { Ending } from '../call/ask.js'
import type { Call } from '../call/call.js'
import { type Flow, type FlowEnd, runFlowOf, type Visit } from '../flows/index.js'
import { contentFrom } from '../pages/index.js'
import { type ReceiptKeys, shownDigest } from '../receipts/index.js'
import type { JsonValue } from '../store/index.js'
import { confirmPage, enrolPage, formPage, type Shown } from './ask-pages.js'
import type { PeoplePasskeys } from './people-passkeys.js'

export interface PageVerifierOptions {
  readonly people: PeoplePasskeys
  readonly receipts: ReceiptKeys
  readonly withoutPasskey: 'enrol' | 'refuse'
  readonly server: string
  /** Who signs, as a reader sees it. */
  readonly issuer: () => string
  /** Its name on the server, and the route of the page where people keep their own. */
  readonly route: NonNullable<Flow['route']>
}

/** What the page is about, as it is kept. */
interface Asked {
  readonly id: string
  readonly tool: string
  readonly arguments: JsonValue
  readonly message: string
  readonly show?: readonly Block[]
  readonly form?: Form
  readonly asker?: string
}

type AskVisit = Visit<Asked, Outcome>

export function pageVerifier(options: PageVerifierOptions): PageVerifier & { readonly flow: Flow } {
  const { people, withoutPasskey } = options
  const flow: Flow<Asked, Outcome> = { name: 'passkeys', endsBy: 'page', page: visitPage, route: options.route }

  async function visitPage(visit: AskVisit): Promise<Response> {
    const { principal } = visit.flow
    if (principal === undefined) return visit.pages.notYours()
    const asked = visit.flow.data
    switch (visit.form?.get('do')) {
      case 'decline':
        return done(visit, { action: 'decline', by: [{ principal }] })
      case 'enrol':
        return enrol(visit, asked, principal)
      case 'accept':
        return accept(visit, asked, principal)
      case 'review':
        return review(visit, asked, principal)
      default:
        return asked.form === undefined ? review(visit, asked, principal) : formPage(visit, shown(asked), {})
    }
  }

  /** Shows what will be confirmed, with a challenge of exactly that. */
  async function review(visit: AskVisit, asked: Asked, principal: string, trouble?: string): Promise<Response> {
    const content = contentIn(visit, asked)
    if ('trouble' in content) return formPage(visit, shown(asked), content)
    const get = await people.ask(principal, { kind: 'ask', about: about(visit, asked, content.value) })
    if (get !== undefined) return confirmPage(visit, shown(asked), { get, content: content.value, trouble })
    if (withoutPasskey === 'refuse') {
      await visit.flow.fail('The person has no passkey here, which this takes.')
      return visit.pages.failed('This takes a passkey, and you have none here. Nothing was done.', 403)
    }
    const options = await people.enrolOptions(principal)
    return options === undefined
      ? visit.pages.failed('You cannot add another passkey now.', 409)
      : enrolPage(visit, options, trouble)
  }

  async function enrol(visit: AskVisit, asked: Asked, principal: string): Promise<Response> {
    const added = await people.enrol(principal, { create: undefined, ...passkeyIn(visit) })
    return added.isVerified ? visit.again() : review(visit, asked, principal, added.message)
  }

  async function accept(visit: AskVisit, asked: Asked, principal: string): Promise<Response> {
    const content = contentIn(visit, asked)
    if ('trouble' in content) return formPage(visit, shown(asked), content)
    const purpose = { kind: 'ask', about: about(visit, asked, content.value) } as const
    const verified = await people.verify(principal, purpose, passkeyIn(visit).get)
    if (!verified.isVerified) return review(visit, asked, principal, verified.message)
    const { receipts, server, issuer } = options
    await receipts.ready()
    const { id, tool, arguments: input } = asked
    const receipt = receipts.sign({
      iss: issuer(),
      at: visit.flow.now(),
      jti: id,
      server,
      tool,
      arguments: input,
      shown: shownOf(askOf(asked)),
      answer: content.value,
      action: 'accept',
      by: [{ principal, method: 'passkey' }],
      where: 'page',
    })
    return done(visit, { action: 'accept', content: content.value, by: [{ principal }], receipt })
  }

  async function done(visit: AskVisit, outcome: Outcome): Promise<Response> {
    return (await visit.flow.complete(outcome)) ? visit.pages.done() : visit.again()
  }

  /** All that a passkey confirms here: another ask, other words or another answer are another challenge. */
  function about({ flow: { id } }: Visit, { tool, arguments: input, ...asked }: Asked, answer: Content) {
    return {
      flow: id,
      ask: asked.id,
      server: options.server,
      tool,
      arguments: input,
      shown: shownOf(askOf({ tool, arguments: input, ...asked })),
      answer,
    }
  }

  function shown(asked: Asked): Shown {
    return { ...asked, server: options.server }
  }

  return {
    flow,
    async ask(call, settings, ask, timeoutMs) {
      const message = ask.message
      const begin = () => ({ data: dataOf(call, settings, ask) })
      // A page that showed something else is another page: what was confirmed there does not count for this.
      const about = shownDigest(shownOf(ask))
      return endingOf(await runFlowOf({ call, settings }, flow, { message, about, timeoutMs, begin }))
    },
  }
}

function dataOf(call: Call, { subject }: AskSettings, ask: VerifiableAsk): Asked {
  const { message, show, asker } = ask
  const asked = {
    id: `${call.id}.${call.asked}`,
    tool: subject.name,
    arguments: subject.input,
    message,
    ...(show !== undefined && { show }),
    ...(ask.kind === 'form' && { form: ask.form }),
    ...(asker !== undefined && { asker }),
  }
  // Arguments came as JSON, and a form is JSON.
  return JSON.parse(JSON.stringify(asked))
}

function askOf({ message, show, form }: Asked): VerifiableAsk {
  const words = { message, ...(show !== undefined && { show }) }
  return form === undefined ? { kind: 'confirm', ...words } : { kind: 'form', ...words, form }
}

function endingOf(end: FlowEnd<Outcome>): Ending {
  switch (end.kind) {
    case 'done':
      return { kind: 'outcome', outcome: end.result ?? { action: 'cancel' } }
    case 'declined':
      return { kind: 'outcome', outcome: { action: 'decline' } }
    case 'cancelled':
      return { kind: 'outcome', outcome: { action: 'cancel' } }
    case 'expired':
      return { kind: 'expired' }
    default:
      return { kind: 'failed', error: new Error(end.kind === 'failed' ? end.reason : 'No page can be opened.') }
  }
}

/** The answers that were sent, as far as they fit: those of the form, or those that were reviewed and come back. */
function contentIn({ form: sent }: Visit, { form }: Asked): { value: Content } | { typed: Content; trouble: string } {
  if (form === undefined) return { value: {} }
  const typed = sent?.get('do') === 'review' ? contentFrom(form, sent) : reviewed(sent?.get('content'))
  const checked = checkContent(form, typed)
  if (checked.issues === undefined) return { value: checked.value }
  return { typed, trouble: checked.issues.map(({ message }) => message).join(' ') }
}

function reviewed(text: string | null | undefined): Content {
  try {
    const value: unknown = JSON.parse(text ?? '')
    // It is checked against the form.
    return typeof value === 'object' && value !== null ? (value as Content) : {}
  } catch {
    return {}
  }
}

function passkeyIn({ form }: Visit): { create?: unknown; get?: unknown } {
  try {
    const value: unknown = JSON.parse(form?.get('passkey') ?? '')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

// The threat: an ask that takes a passkey, answered without one. No client is ever shown such an ask as a form: its person is
// sent to our own page, or it is on a desk that knows passkeys; where neither can be, nobody is asked.
import { ElicitationNotAvailableError } from '@beckon/core'
import type { Ask, Ending } from '../call/ask.js'
import { asksOthers } from '../call/ask-policy.js'
import type { Call } from '../call/call.js'
import { answersItself, elicitationModes } from '../protocol/capabilities.js'
import type { AskSettings } from './ask-person.js'
import { isUrlError } from './ask-url.js'
import type { AskTerms } from './send-ask.js'

/** An ask that can be confirmed with a passkey. A URL ask cannot: what the person does on that page is their answer. */
export type VerifiableAsk = Extract<Ask, { kind: 'confirm' | 'form' }>

/** A page of our own, where a person confirms with a passkey. */
export interface PageVerifier {
  ask(call: Call, settings: AskSettings, ask: VerifiableAsk, timeoutMs: number): Promise<Ending>
}

/** Asks for an answer that is confirmed with a passkey. */
export function sendVerified(call: Call, settings: AskSettings, ask: VerifiableAsk, terms: AskTerms): Promise<Ending> {
  const { verifier, hasDesk, expiryMs } = settings
  const isForOthers = asksOthers(ask.policy ?? {})
  if (verifier !== undefined && !isForOthers && canOpenPage(call, settings))
    return verifier.ask(call, settings, ask, terms.timeoutMs ?? expiryMs.client)
  const { key, timeoutMs = expiryMs.durable, fallback = settings.fallback } = terms
  if (hasDesk && (isForOthers || fallback === 'desk'))
    // What was answered under this name before it took a passkey is another ask's.
    return call.ask({ ...ask, person: 'verified' }, { key: key && `${key} with a passkey`, timeoutMs, wire: 'desk' })
  return Promise.resolve({ kind: 'failed', error: new ElicitationNotAvailableError('url') })
}

/** Whether the person of a call, whom we have to know, can be sent to a page by their client. */
function canOpenPage(call: Call, settings: AskSettings): boolean {
  if (call.principal === undefined || settings.isSilent) return false
  if (isUrlError(call, settings)) return true
  const opens = call.clientWire !== undefined && elicitationModes(call.peer, settings.quirks)?.url
  return Boolean(opens) && !answersItself(call.peer, settings.quirks)
}

// The verb behind `ctx.elicit.url`. A call keeps the frames of what waits in it, so each of these functions holds little.
import { inspectUrl, type Outcome } from '@beckon/core'
import type { Ask, WireName } from '../call/ask.js'
import type { Call } from '../call/call.js'
import { messageWith } from '../crypto/bound-message.js'
import { digest } from '../crypto/digest.js'
import { codecOf } from '../protocol/codec.js'
import { RequestError } from '../protocol/request-error.js'
import type { Registrant } from '../waits/completions.js'
import { type AskSettings, outcomeOf, wordsOf } from './ask-person.js'
import type { Fallback, UrlOptions, UrlOutcome } from './context.js'
import { sendAsk, wireFor } from './send-ask.js'

/** Tells a client of 2025-11-25 that the flow behind a URL is done. */
export const urlComplete = 'notifications/elicitation/complete'

type UrlAsk = Extract<Ask, { kind: 'url' }>
type Given = UrlOptions & { message: string; url: string }

export async function askUrl(call: Call, settings: AskSettings, given: Given): Promise<UrlOutcome> {
  checkUrl(given.url, settings.allowHttp)
  const { ask, expiresAt } = await prepare(call, settings, given)
  const { key, fallback, person } = given
  const terms = { key, timeoutMs: timeoutOf(given, settings), fallback, person }
  const outcome = outcomeOf(await sendAsk(call, settings, ask, terms), given.message, 'url')
  const { action } = outcome
  if (action === 'accept' && given.waitForCompletion) {
    await call.hold(settings.completions.wait(ask.elicitationId, given.message, expiresAt), expiresAt)
    tellComplete(call, ask.elicitationId)
  }
  return urlOutcome(outcome)
}

function urlOutcome(outcome: Outcome<unknown>): UrlOutcome {
  const { action } = outcome
  if (action === 'decline' && outcome.reason !== undefined) return { action, reason: outcome.reason }
  return action === 'cancel' && outcome.why !== undefined ? { action, why: outcome.why } : { action }
}

/** Registers the flow before anything is sent, and finds out where the person is sent. */
async function prepare(
  call: Call,
  settings: AskSettings,
  given: Given,
): Promise<{ readonly ask: UrlAsk; readonly expiresAt: number }> {
  const { message, elicitationId = call.nextId('url') } = given
  const words = wordsOf(given)
  const wanted = call.now() + timeoutOf(given, settings)
  const expiresAt = await settings.completions.register(elicitationId, registrantOf(call, settings), wanted)
  const ask: UrlAsk = {
    kind: 'url',
    message,
    url: await pageFor(call, settings, { ...given, elicitationId }),
    elicitationId,
    ...words,
  }
  if (isUrlError(call, settings)) throw urlRequired(call, settings, ask)
  return { ask, expiresAt }
}

/** Whose an id is: this call's; where it ends with an error, that of the same call made again. */
function registrantOf(call: Call, settings: AskSettings): Registrant {
  const { id, principal, sessionId, target } = call
  const caller =
    principal === undefined && sessionId === undefined ? null : digest([principal ?? null, sessionId ?? null])
  return { call: isUrlError(call, settings) ? digest([caller, target]) : id, caller }
}

/** What the client gets: the author's own address; where people can be told apart, a page of ours that leads there. */
async function pageFor(
  call: Call,
  settings: AskSettings,
  { elicitationId, ...given }: Given & { elicitationId: string },
): Promise<string> {
  const { flows, allowHttp } = settings
  const { message, url } = given
  if (!flows?.identifies || call.principal === undefined) return url
  return flows.link(call, { elicitationId, message, url, timeoutMs: timeoutOf(given, settings), allowHttp })
}

/** Over which wire a person can be sent to a page, without the model's help. */
export function pageWire(call: Call, settings: AskSettings): WireName | undefined {
  return wireFor(call, settings, 'url', { fallback: pageFallback(settings) })
}

/** Whether a person can be sent to a page of ours. */
export function canOpenPage(call: Call, settings: AskSettings): boolean {
  return !settings.isSilent && (pageWire(call, settings) !== undefined || isUrlError(call, settings))
}

/** Where a page is asked for that the client cannot open: a model is no help there. */
export function pageFallback({ fallback }: AskSettings): Fallback {
  return fallback === 'relay' ? 'refuse' : fallback
}

/** Whether a URL ask ends the call, for the client to make it again afterwards. */
export function isUrlError(call: Call, { urlError }: AskSettings): boolean {
  return urlError && codecOf(call.peer.revision).hasUrlErrors
}

/** The error that ends a call with what has to be opened first. The session is told when that is done. */
export function urlRequired(
  { sessionId, principal }: Call,
  { urlSessions }: AskSettings,
  ask: Omit<UrlAsk, 'kind'>,
): RequestError {
  const { url, elicitationId } = ask
  const message = messageWith(ask.message, ask.show)
  if (sessionId !== undefined) urlSessions.add(elicitationId, { sessionId, principal, bytes: 0 })
  const data = { elicitations: [{ mode: 'url', message, url, elicitationId }] }
  return new RequestError(-32042, 'This call needs the person to open a URL first.', data)
}

/** Tells the client of a call that the flow is done, where its revision has that. */
export function tellComplete({ peer, incoming }: Call, elicitationId: string): void {
  if (codecOf(peer.revision).hasUrlErrors) incoming?.notify(urlComplete, { elicitationId })
}

function timeoutOf({ timeoutMs, timeout }: UrlOptions, { expiryMs }: AskSettings): number {
  return timeoutMs ?? timeout ?? expiryMs.url
}

function checkUrl(url: string, allowHttp: boolean): void {
  const inspected = inspectUrl(url, { allowHttp })
  if (inspected.kind !== 'refused') return
  const remedy = /^http:/i.test(url)
    ? ' Use https, or createServer({ allowHttp: true }) in a network where nobody else listens.'
    : ''
  throw new TypeError(`A person cannot be sent to this URL: ${inspected.message}${remedy}`)
}

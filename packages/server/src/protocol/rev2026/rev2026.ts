import type { RevisionCodec } from '../codec.js'
import { writeAsk } from '../elicitation.js'
import { RequestError } from '../request-error.js'
import type { WireError } from '../wire-error.js'
import { completed } from './complete-result.js'
import { isIssue, metaIn, readEnvelope } from './envelope.js'

const revision = '2026-07-28'

/** The revisions without sessions that are served. */
export const modernVersions: readonly string[] = [revision]

/** Whether a version is one without sessions, served or not. */
export function isModern(version: string): boolean {
  return version >= revision
}

/** Why a request of a revision without sessions is refused that is not served. */
export function unsupportedVersion(requested: string): WireError {
  const data = { supported: modernVersions, requested }
  return { code: -32022, message: `Unsupported protocol version: ${requested}`, data }
}

export const rev20260728: RevisionCodec = {
  revision,
  hasSessions: false,
  takesRequests: false,
  takesNotifications: false,
  lacks: new Set(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']),
  // It has no number of its own for that.
  resourceNotFound: -32602,
  peerOf(params) {
    const envelope = readEnvelope(metaIn(params) ?? {})
    if (isIssue(envelope))
      throw new RequestError(-32602, `Invalid _meta envelope for ${revision}: ${envelope.key}: ${envelope.problem}`)
    if (!modernVersions.includes(envelope.version)) throw unsupportedVersion(envelope.version)
    return { ...envelope, revision }
  },
  complete: completed,
  isLean: true,
  writeAsk: (ask, capabilities) =>
    writeAsk(ask, capabilities, { lower: form => form, mode: { mode: 'form' }, namesPages: false }),
  raiseReply: reply => reply,
  // From -32020 to -32099 the numbers are those that it defines.
  hasError: code => code === -32021 || code < -32099 || code > -32020,
  hasUrlErrors: false,
}

import type { RevisionCodec } from '../codec.js'
import { writeAsk } from '../elicitation.js'
import type { WireError } from '../wire-error.js'

export const revision2026 = '2026-07-28'

/** The revisions without sessions that are served. */
export const modernVersions: readonly string[] = [revision2026]

/** Whether a version is one without sessions, served or not. */
export function isModern(version: string): boolean {
  return version >= revision2026
}

/** Why a request of a revision without sessions is refused that is not served. */
export function unsupportedVersion(requested: string): WireError {
  const data = { supported: modernVersions, requested }
  return { code: -32022, message: `Unsupported protocol version: ${requested}`, data }
}

export const rev20260728: RevisionCodec = {
  writeAsk: (ask, capabilities) =>
    writeAsk(ask, capabilities, { lower: form => form, mode: { mode: 'form' }, namesPages: false }),
  raiseReply: reply => reply,
  takesRequests: false,
  namesMissingCapabilities: true,
  hasUrlErrors: false,
}

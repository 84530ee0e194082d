// A state as it is sealed. It goes to the client and back with every round, so what a round costs grows with it: hence lists and
// no names, and times as what they are from when it was issued.
import type { AnswerFloor, Ask } from '../call/ask.js'
import type { OpenMark, RequestState } from './request-states.js'

const format = 3

type EncodedMark = [
  id: string,
  ask: Ask['kind'],
  digest: string,
  nth: number,
  position: number,
  from: number,
  askedAt: number,
  expiresAt: number,
  key?: string | null,
  floor?: AnswerFloor,
]

type EncodedState = [
  format: typeof format,
  issuedAt: number,
  expiresAt: number,
  call: string,
  node: string,
  round: number,
  principal: string | null,
  method: string,
  name: string,
  digest: string,
  version: string,
  misses: number,
  promised: number,
  isLogged: 0 | 1,
  open: EncodedMark[],
  journal?: string,
]

export function encodeState(
  state: Omit<RequestState, 'version' | 'issuedAt'>,
  version: string,
  issuedAt: number,
): EncodedState {
  const { call, node, round, expiresAt, principal, target, misses, promisedUntil, isLogged, open, journal } = state
  const { method, name, digest } = target
  const left = expiresAt - issuedAt
  const marks = open.map(mark => encodeMark(mark, issuedAt))
  const encoded: EncodedState = [
    format,
    issuedAt,
    left,
    call,
    node,
    round,
    principal,
    method,
    name,
    digest,
    version,
    misses,
    promisedUntil - issuedAt,
    isLogged ? 1 : 0,
    marks,
  ]
  if (journal !== undefined) encoded.push(journal)
  return encoded
}

/** Undefined for one in another format. */
export function decodeState(value: unknown): RequestState | undefined {
  if (!Array.isArray(value) || value[0] !== format) return undefined
  // Only this server can have sealed it, in this format.
  const [, issuedAt, left, call, node, round, principal, method, name, digest, version, ...rest] = value as EncodedState
  const [misses, promised, isLogged, marks, journal] = rest
  return {
    call,
    node,
    round,
    issuedAt,
    expiresAt: issuedAt + left,
    principal,
    target: { method, name, digest },
    version,
    open: marks.map(mark => decodeMark(mark, issuedAt)),
    misses,
    promisedUntil: issuedAt + promised,
    isLogged: isLogged === 1,
    ...(journal !== undefined && { journal }),
  }
}

function encodeMark(mark: OpenMark, issuedAt: number): EncodedMark {
  const { id, ask, digest, nth, position, from, askedAt, expiresAt, key, floor } = mark
  const encoded: EncodedMark = [id, ask, digest, nth, position, from, askedAt - issuedAt, expiresAt - issuedAt]
  if (floor !== undefined) encoded.push(key ?? null, floor)
  else if (key !== undefined) encoded.push(key)
  return encoded
}

function decodeMark(encoded: EncodedMark, issuedAt: number): OpenMark {
  const [id, ask, digest, nth, position, from, askedAt, expiresAt, key, floor] = encoded
  const times = { askedAt: issuedAt + askedAt, expiresAt: issuedAt + expiresAt }
  return { digest, nth, position, id, ask, from, ...times, floor, ...(typeof key === 'string' && { key }) }
}

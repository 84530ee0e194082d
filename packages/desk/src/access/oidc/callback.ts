import type { AccessRequest, AccessResponse } from '../access.js'
import { type ClaimNames, personOf } from '../bearer/person-of.js'
import { isWrongToken } from '../bearer/signatures.js'
import { Failures } from '../failures.js'
import { param } from '../param.js'
import { page, redirect, tooMany, wrongMethod } from '../respond.js'
import { sameSecret } from '../secret.js'
import { SecretMap } from '../secret-map.js'
import type { CookieSessions } from '../sessions/cookie-sessions.js'
import { type CookiePlace, clearCookie, readCookie } from '../sessions/cookies.js'
import { type Attempt, attemptMs, decodeAttempt, type Proofs, proofsOf } from './attempt.js'
import { type Client, exchangeCode, IdTokenError } from './exchange-code.js'
import { FetchStatusError } from './fetch-json.js'
import type { Provider } from './provider.js'

const maxUsed = 10_000

export interface CallbackOptions {
  readonly client: Client
  readonly claims: ClaimNames
  readonly discover: () => Promise<Provider>
  readonly sessions: CookieSessions
  readonly publicOrigin: string
  readonly onError: (error: unknown) => void
}

/** Why an attempt came to nothing, as the person is told. The rest is for the operator. */
class SignInFailed extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Answers the browser that comes back from the provider. */
export function callback({
  client,
  claims,
  discover,
  sessions,
  publicOrigin,
  onError,
}: CallbackOptions): (request: AccessRequest) => Promise<AccessResponse> {
  const { clock } = client
  const failures = new Failures(clock)
  const used = new SecretMap<true>(clock, maxUsed)
  const place: CookiePlace = { kind: 'sign-in', publicOrigin }

  /** The attempt that this browser began, and that this answer is for. */
  function attemptOf(request: AccessRequest): { readonly attempt: Attempt; readonly proofs: Proofs } {
    const attempt = decodeAttempt(readCookie(request, place) ?? '')
    if (attempt === undefined || attempt.startedAt + attemptMs <= clock.now()) {
      throw new SignInFailed(400, 'It was begun in another browser, or too long ago.')
    }
    const proofs = proofsOf(attempt)
    if (!sameSecret(param(request, 'state') ?? '', proofs.state)) {
      throw new SignInFailed(400, 'It does not belong to the one that this browser began last.')
    }
    if (used.get(proofs.state) !== undefined) throw new SignInFailed(400, 'It was finished already.')
    used.set(proofs.state, true, clock.now() + attemptMs)
    return { attempt, proofs }
  }

  /** The code in an answer of this very provider (RFC 9207 for `iss`). */
  function codeOf(request: AccessRequest, { issuer, sendsIssuer }: Provider): string {
    const iss = param(request, 'iss')
    if (iss === undefined ? sendsIssuer : iss !== issuer) {
      throw new SignInFailed(400, 'The answer is not from the provider that was asked.')
    }
    if (param(request, 'error') !== undefined) throw new SignInFailed(403, 'The provider did not let you in.')
    const code = param(request, 'code')
    if (code === undefined || code === '') throw new SignInFailed(400, 'The provider sent no code.')
    return code
  }

  async function finish(request: AccessRequest): Promise<AccessResponse> {
    const { attempt, proofs } = attemptOf(request)
    const provider = await discover()
    const payload = await exchangeCode(codeOf(request, provider), proofs, { provider, client }).catch(error => {
      if (!isRefusal(error)) throw error
      onError(error)
      throw new SignInFailed(403, 'What the provider sent proves nothing.')
    })
    const person = personOf(payload, claims)
    if (person === undefined) throw new SignInFailed(403, 'The provider did not say who you are.')
    return redirect(attempt.next, [...(await sessions.begin(request, person)), clearCookie(request, place)])
  }

  return async function comeBack(request) {
    if (request.method !== 'GET') return wrongMethod(request, 'GET')
    const waitMs = failures.blockedForMs(request.remoteAddress)
    if (waitMs !== undefined) return tooMany(request, waitMs)
    try {
      return await finish(request)
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error
      failures.record(request.remoteAddress, request.query)
      const link = { text: 'Sign in again', path: '/sign-in' }
      return page(request, error.status, { title: 'You are not signed in', text: error.message, link })
    }
  }
}

/** Whether the provider, or its token, said no; anything else means that it could not be asked. */
function isRefusal(error: unknown): boolean {
  if (error instanceof FetchStatusError) return error.status >= 400 && error.status < 500
  return error instanceof IdTokenError || isWrongToken(error)
}

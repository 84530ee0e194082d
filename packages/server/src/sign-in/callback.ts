import { errors, type JWTPayload } from 'jose'
import { FetchStatusError } from '../auth/fetch-json.js'
import type { IssuerMetadata } from '../auth/issuer.js'
import { isWrongToken } from '../auth/signatures.js'
import { type Attempt, attemptMs, decodeAttempt, type Proofs, proofsOf } from './attempt.js'
import type { BrowserRequest } from './browser-request.js'
import { param } from './browser-request.js'
import { type CookiePlace, readCookie } from './cookies.js'
import { type Client, exchangeCode, IdTokenError } from './exchange-code.js'
import { sameSecret } from './secret.js'
import type { UsedSecrets } from './used-secrets.js'
import { userInfo } from './user-info.js'

/** Why an attempt came to nothing, as the person is told. The rest is for the operator. */
export class SignInFailed extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface CallbackOptions {
  readonly client: Client
  /** Where the attempt is. */
  readonly cookie: CookiePlace
  /** The attempts that have led to a session. */
  readonly used: UsedSecrets
  /** The claims that are looked for elsewhere than in the ID token too. Default: all that there are. */
  readonly claims?: readonly string[] | undefined
  readonly onError: (error: unknown) => void
}

/** What came of an attempt: who it is, by an ID token, with what else the provider says of them, and where they wanted to go. */
export interface Returned {
  readonly claims: JWTPayload
  readonly next: string
}

/** Reads what a browser brings back from the provider. Throws `SignInFailed`, or whatever kept the provider from answering. */
export function callback({
  client,
  cookie,
  used,
  claims: wanted,
  onError,
}: CallbackOptions): (request: BrowserRequest) => Promise<Returned> {
  const { clock, issuer } = client
  const withMore = userInfo({ issuer: issuer.url, clock, claims: wanted, onError })

  /** The attempt that this browser began, and that this answer is for. */
  async function attemptOf(request: BrowserRequest): Promise<{ readonly attempt: Attempt; readonly proofs: Proofs }> {
    const attempt = decodeAttempt(readCookie(request, cookie) ?? '')
    if (attempt === undefined || attempt.startedAt + attemptMs <= clock.now()) {
      throw new SignInFailed(400, 'It was begun in another browser, or too long ago.')
    }
    const proofs = proofsOf(attempt)
    if (!sameSecret(param(request, 'state') ?? '', proofs.state)) {
      throw new SignInFailed(400, 'It does not belong to the one that this browser began last.')
    }
    if (await used.has(proofs.state)) throw new SignInFailed(400, alreadyFinished)
    return { attempt, proofs }
  }

  /** The code in an answer of this very provider (RFC 9207 for `iss`). */
  function codeOf(request: BrowserRequest, { sendsIssuer }: IssuerMetadata): string {
    const iss = param(request, 'iss')
    if (iss === undefined ? sendsIssuer : iss !== issuer.url) {
      throw new SignInFailed(400, 'The answer is not from the provider that was asked.')
    }
    if (param(request, 'error') !== undefined) throw new SignInFailed(403, 'The provider did not let you in.')
    const code = param(request, 'code')
    if (code === undefined || code === '') throw new SignInFailed(400, 'The provider sent no code.')
    return code
  }

  return async request => {
    const { attempt, proofs } = await attemptOf(request)
    const metadata = await issuer.metadata()
    const exchanged = await exchangeCode(codeOf(request, metadata), proofs, { client, metadata }).catch(error => {
      if (!isRefusal(error)) throw error
      onError(isAboutTime(error) ? clocksDisagree(error, client) : error)
      throw new SignInFailed(403, 'What the provider sent proves nothing.')
    })
    // Now that the provider has vouched for somebody: a stranger who only begins leaves nothing in the store.
    const isFirst = await used.use(proofs.state, attempt.startedAt + attemptMs)
    if (!isFirst) throw new SignInFailed(400, alreadyFinished)
    return { claims: await withMore(exchanged.claims, exchanged.accessToken), next: attempt.next }
  }
}

const alreadyFinished = 'It was finished already.'

/** Whether the provider, or its token, said no; anything else means that it could not be asked. */
function isRefusal(error: unknown): boolean {
  if (error instanceof FetchStatusError) return error.status >= 400 && error.status < 500
  return error instanceof IdTokenError || isWrongToken(error)
}

/** Whether a token that the provider has just made is not valid now. */
function isAboutTime(error: unknown): error is Error {
  if (error instanceof errors.JWTExpired) return true
  return error instanceof errors.JWTClaimValidationFailed && ['nbf', 'iat', 'exp'].includes(error.claim)
}

function clocksDisagree(cause: Error, { issuer, clock }: Client): IdTokenError {
  return new IdTokenError(
    `An ID token that ${issuer.url} has just sent is not valid at ${new Date(clock.now()).toISOString()}, which is the time of this ` +
      `machine (${cause.message}). The clock of this machine and the provider's may disagree: set both by NTP.`,
    { cause },
  )
}

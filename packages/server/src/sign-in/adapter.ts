// For those who sign people in on pages of their own: a desk does.

export { defaultToleranceMs } from '../auth/check-jwt.js'
export { issuerAt } from '../auth/issuer.js'
export { type PrincipalClaim, principalOf } from '../auth/principal.js'
export { publishedKeys } from '../auth/published-keys.js'
export { secureUrl } from '../auth/secure-url.js'
export { algorithmsOf, isGenuine, isWrongToken } from '../auth/signatures.js'
export { isAccessToken, isBound } from '../auth/verified-token.js'
export type { BrowserRequest, Header } from './browser-request.js'
export { param } from './browser-request.js'
export { BrowserSessions, type BrowserSessionsOptions, type SignedIn } from './browser-sessions.js'
export { type CookiePlace, clearCookie, readCookie, setCookie } from './cookies.js'
export { Failures, networkOf } from './failures.js'
export {
  type OpenIdSignIn,
  type OpenIdSignInOptions,
  openIdSignIn,
  type Responder,
  signInNeeds,
} from './open-id-sign-in.js'
export { safePath } from './safe-path.js'
export { digestOf, isSecret, newSecret, type Random, sameSecret, systemRandom } from './secret.js'
export { SecretMap } from './secret-map.js'
export {
  type FoundSession,
  type ListedSession,
  memoryRecords,
  type OwnedSessions,
  type SessionRecords,
  storeRecords,
} from './session-records.js'

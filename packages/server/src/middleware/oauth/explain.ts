import * as oauth from 'oauth4webapi'

/** Whether an authorization server says that a refresh token is good no more: as the standard has it, or GitHub. */
export function isInvalidGrant(error: unknown): boolean {
  return error instanceof oauth.ResponseBodyError && /^(invalid_grant|bad_refresh_token)$/.test(error.error)
}

/** What went wrong with an authorization server, for a person and for a model: nothing of what it wrote but a code. */
export function explain(error: unknown, host: string): string {
  if (error instanceof oauth.AuthorizationResponseError) {
    if (error.error === 'access_denied') return `Access was not allowed at ${host}.`
    return `${host} answered with an error (${codeOf(error.error)}).`
  }
  if (error instanceof oauth.ResponseBodyError) return `${host} refused the sign-in (${codeOf(error.error)}).`
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)
    return `The answer of ${host} is not one to trust.`
  return `${host} could not be reached.`
}

/** An error code is what the standards call one, and no sentence for a model to follow. */
function codeOf(code: string): string {
  return /^[a-z_]{1,40}$/.test(code) ? code : 'unknown'
}

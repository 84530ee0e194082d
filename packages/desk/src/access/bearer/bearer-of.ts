import type { AccessRequest } from '../access.js'

/** The token in `Authorization: Bearer`, and in no other place. */
export function bearerOf(request: AccessRequest): string | undefined {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.header('authorization') ?? '')?.[1]
}

/** Whether a token has the form of a signed JWT. */
export function looksLikeJwt(token: string): boolean {
  return /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(token)
}

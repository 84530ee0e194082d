import type { Pages } from '../pages/index.js'
import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/index.js'

/** How people sign in with a browser on a server's own pages: `oidc` is one. */
export interface SignIn {
  /** For the server whose pages these are. @throws TypeError where a person would be another one than by their token */
  open(deps: SignInDeps): PageSignIn
}

/** What signing in needs of a server. */
export interface SignInDeps {
  readonly server: string
  readonly pages: Pages
  /** The address that `/beckon/...` follows. */
  readonly base: () => Promise<string>
  /** Where it is kept who is signed in. */
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  /** Whose tokens count, and how they name a person; undefined for a server that identifies people by itself. */
  readonly auth: { readonly issuer: string; readonly principalClaim?: string | undefined } | undefined
  readonly onError: (error: unknown) => void
}

export interface PageSignIn {
  /** Who a browser's request is of; undefined for someone who is not signed in. */
  principalOf(request: Request): Promise<string | undefined>
  /** Sends a browser away to sign in, and then back to what it asked for. */
  challenge(request: Request): Promise<Response>
  /** Answers for `/beckon/sign-in/<rest>`. */
  serve(request: Request, rest: string, address: string | undefined): Promise<Response | undefined>
}

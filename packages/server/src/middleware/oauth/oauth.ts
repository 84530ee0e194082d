import { UnauthorizedError } from '@beckon/core'
import { type CallInternals, callInternals, type People } from '../../author/call-internals.js'
import type { Context } from '../../author/context.js'
import type { MiddlewareHooks } from '../../author/middleware.js'
import { randomId } from '../../crypto/random-id.js'
import { explainEnd, type Flow, type FlowIds, runFlow, type UnfinishedEnd, withFlows } from '../../flows/index.js'
import { answerCallback, type SignIn } from './callback.js'
import { explain } from './explain.js'
import { createProvider, type ProviderOptions } from './provider.js'
import { TokenStore } from './tokens.js'

export interface OAuthOptions extends ProviderOptions {
  /** What is asked for. */
  scopes?: readonly string[] | undefined
  /** Tells several of them on one server apart; the redirect address is `<publicUrl>/beckon/<name>/callback`. Default: `oauth`. */
  name?: string | undefined
  /** What the person reads before the page is opened. */
  message?: string | undefined
  /** How long a person may take to sign in. Default: 5 minutes. */
  timeoutMs?: number | undefined
}

/** An access token of the person whom a call is for. */
export interface AccessToken {
  readonly accessToken: string
  /** What the authorization server says that it granted; it may have granted less than was asked for. */
  readonly scopes: readonly string[]
}

/** A middleware that has people sign in elsewhere, and has their tokens for the handler. */
export interface OAuth extends MiddlewareHooks {
  /** The same with more scopes: a person who has not granted them is asked again. */
  requires(...scopes: string[]): MiddlewareHooks
  /** A token that is good now: refreshed where it has to be, and asked for again where it was revoked. */
  token(ctx: Context): Promise<AccessToken>
  /** The API refused the token. The next one is refreshed, or the person is asked again. */
  invalidate(ctx: Context): Promise<void>
  /** Calls an API with the token; one that is refused with 401 is replaced, once. A body must be a string or bytes. */
  fetch(ctx: Context, url: string | URL, init?: RequestInit): Promise<Response>
  /** Forgets the tokens of the person whom a call is for. */
  signOut(ctx: Context): Promise<void>
}

/**
 * Has the person sign in at an authorization server before the handler runs. Their tokens are kept for them alone, are
 * refreshed, and never reach the client.
 * @example
 * const hub = oauth({ issuer: 'https://id.example', clientId: 'mcp', scopes: ['openid', 'notes.read'] })
 * server.tool('notes', hub, {}, async (_input, ctx) => {
 *   const response = await hub.fetch(ctx, 'https://api.example/notes')
 *   return ctx.json(await response.json())
 * })
 */
export function oauth(options: OAuthOptions): OAuth {
  const { name = 'oauth', scopes = [], timeoutMs } = options
  const provider = createProvider(options)
  const tokens = new TokenStore(provider, [name, provider.host, options.clientId])
  const message = options.message ?? `Sign in at ${provider.host} to go on.`
  const flow: Flow<SignIn, null> = {
    name,
    endsBy: 'page',
    route: (request, route) => answerCallback(request, route, { provider, tokens }),
  }

  /** What the middleware before a call asked for. */
  const required = new WeakMap<Context, readonly string[]>()

  const find = (ctx: Context, wanted: readonly string[]) => tokens.usable(whereOf(ctx), ctx.sessionId, wanted)

  /** Sends the person there, unless they have been. Undefined when they are signed in. */
  async function signIn(ctx: Context, wanted: readonly string[]): Promise<UnfinishedEnd | undefined> {
    // In a step: a replay goes the same way, whatever was granted since.
    if (await ctx.step(`${name} signed in`, async () => (await find(ctx, wanted)) !== undefined)) return undefined
    const end = await runFlow(ctx, flow, { message, timeoutMs, begin: ids => begin(ctx, ids, wanted) })
    return end.kind === 'done' ? undefined : end
  }

  async function begin(ctx: Context, { flowId, routeUrl }: FlowIds, wanted: readonly string[]) {
    const known = await tokens.peek(whereOf(ctx).store, ctx.sessionId)
    const asked = [...new Set([...wanted, ...(known?.scopes ?? [])])]
    const state = `${flowId}.${randomId()}`
    const redirectUri = `${routeUrl}/callback`
    const { url, secrets } = await provider.authorizationUrl({ state, redirectUri, scopes: asked }).catch(cause => {
      throw new Error(explain(cause, provider.host), { cause })
    })
    return { url, data: { ...secrets, scopes: asked } }
  }

  async function token(ctx: Context): Promise<AccessToken> {
    const wanted = required.get(ctx) ?? scopes
    // A second time, where what was there when the call began was revoked since.
    for (let attempt = 1; attempt <= 2; attempt++) {
      const end = await signIn(ctx, wanted)
      const found = end === undefined ? await find(ctx, wanted) : undefined
      if (found !== undefined) return { accessToken: found.accessToken, scopes: found.granted }
      if (end !== undefined) break
    }
    throw new UnauthorizedError(`Nobody is signed in at ${provider.host}.`)
  }

  async function invalidate(ctx: Context): Promise<void> {
    await ctx.step(`${name} invalidate`, () => tokens.invalidate(whereOf(ctx), ctx.sessionId))
  }

  const requiring = (wanted: readonly string[]): MiddlewareHooks =>
    withFlows(
      {
        name,
        async onCall(ctx, next) {
          required.set(ctx, wanted)
          const end = await signIn(ctx, wanted)
          return end === undefined ? next() : explainEnd(ctx, end)
        },
      },
      flow,
    )

  return {
    ...requiring(scopes),
    requires: (...more) => requiring([...scopes, ...more]),
    token,
    invalidate,
    async fetch(ctx, url, init = {}) {
      const send = async ({ accessToken }: AccessToken) => {
        const headers = new Headers(init.headers)
        headers.set('authorization', `Bearer ${accessToken}`)
        return fetch(url, { signal: ctx.signal, ...init, headers })
      }
      const first = await token(ctx)
      let response: Response | undefined
      const isRefused = await ctx.step(`${name} refused`, async () => {
        response = await send(first)
        return response.status === 401
      })
      if (!isRefused) return response ?? send(first)
      await response?.body?.cancel()
      await invalidate(ctx)
      return send(await token(ctx))
    },
    async signOut(ctx) {
      await tokens.forget(whereOf(ctx).store, ctx.sessionId)
    },
  }
}

/** Where the tokens of people are. */
function whereOf(ctx: Context): People & Pick<CallInternals, 'clock'> {
  const { people, clock } = callInternals(ctx)
  return { ...people, clock }
}

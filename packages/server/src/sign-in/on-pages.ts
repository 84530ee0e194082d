// Signing in as web requests and responses, on pages that look like the server's other ones.
import { html, type Pages } from '../pages/index.js'
import type { BrowserRequest } from './browser-request.js'
import type { BrowserSessions } from './browser-sessions.js'
import type { Responder } from './open-id-sign-in.js'

export function fromWeb(
  request: Request,
  { prefix, address = '' }: { readonly prefix: string; readonly address?: string | undefined },
): BrowserRequest {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    path: pathname.startsWith(`${prefix}/`) ? pathname : `${prefix}${pathname}`,
    query: search.slice(1),
    remoteAddress: address,
    header: name => request.headers.get(name) ?? undefined,
  }
}

/**
 * Whether something else than our own pages, or a person who follows a link, made a request. Our forms carry a token of their
 * own, and no referrer: their origin is `null`.
 */
export function foreignRequest(request: BrowserRequest, publicOrigin: string): boolean {
  const site = request.header('sec-fetch-site')
  if (site === undefined) return ![undefined, 'null', publicOrigin].includes(request.header('origin'))
  if (site === 'same-origin' || site === 'none') return false
  return request.header('sec-fetch-mode') !== 'navigate' || request.header('sec-fetch-dest') !== 'document'
}

export function pageResponder(pages: Pages): Responder<Response> {
  const notice = (status: number, title: string, text: string, headers: Record<string, string> = {}): Response =>
    pages.show({ title, status, headers, body: html`<h1>${title}</h1><p>${text}</p>` })
  return {
    redirect(location, more = []) {
      const headers = new Headers({ Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
      for (const [name, value] of more) headers.append(name, value)
      return new Response(null, { status: 303, headers })
    },
    failed: (_request, status, { text, again }) =>
      pages.show({
        title: 'You are not signed in',
        status,
        body: html`<h1>You are not signed in</h1>
<p>${text} Open the link that you were given once more, or sign in again.</p>
<p><a class="button" href="${again}">Sign in again</a></p>`,
      }),
    wrongMethod: (_request, allowed) =>
      notice(405, 'Method not allowed', `This address takes ${allowed} only.`, { Allow: allowed }),
    tooMany(_request, waitMs) {
      const seconds = String(Math.ceil(waitMs / 1000))
      return notice(429, 'Too many attempts', `Try again in ${seconds} seconds.`, { 'Retry-After': seconds })
    },
  }
}

/** Says that someone has to sign in, and goes there by itself. */
export function signInPage(pages: Pages, address: string): Response {
  return pages.show({
    title: 'Sign in',
    status: 401,
    refresh: address,
    body: html`<h1>Sign in to go on</h1>
<p>You were signed out meanwhile, and nothing was done.</p>
<p><a class="button" href="${address}">Sign in</a></p>`,
  })
}

/** Ends a session on a POST from our own page; a GET gets a page with a button for that. */
export async function respondSignedOut(
  request: BrowserRequest,
  { pages, sessions }: { readonly pages: Pages; readonly sessions: BrowserSessions<string> },
): Promise<Response> {
  if (request.method !== 'POST')
    return pages.show({
      title: 'Sign out?',
      body: html`<h1>Sign out?</h1>
<p>You will need to sign in again to open what you are sent.</p>
<form method="post"><button>Sign out</button></form>`,
    })
  // A foreign page cannot send the cookie with a POST; without one there is nobody to sign out.
  const isOurs = (await sessions.find(request)) !== undefined
  const headers = isOurs ? Object.fromEntries([await sessions.end(request)]) : {}
  return pages.show({ title: 'Signed out', headers, body: html`<h1>Signed out</h1><p>You can close this page.</p>` })
}

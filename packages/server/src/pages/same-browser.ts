// Threats: a page elsewhere that posts our forms for a person (CSRF), and a link that ends up in a second browser.
// A browser gets a random secret in a cookie that no script reads. A form carries what only that secret gives for that
// flow. So a post proves that this browser was shown this very form, and the hash of the secret names the browser.
// Not defended: anyone who can read the browser's cookies is the browser.
import { hmac, isSameText, sha256 } from '#platform'
import { randomSecret } from '../crypto/random-bytes.js'
import { type Html, html } from './html.js'

/** One browser, at one flow. */
export interface Browser {
  /** Names the browser without giving its secret away. */
  readonly hash: string
  /** The hidden field of a form. */
  readonly csrf: Html
  /** What a response has to carry for a browser that is new. */
  readonly headers: Record<string, string>
  /** Whether a form came from our page in this browser. */
  isOurs(form: URLSearchParams): boolean
}

const field = 'beckon'

export function browserOf(request: Request, base: string, flow: string): Browser {
  const isSecure = base.startsWith('https:')
  // The prefix has the browser refuse a cookie of that name from anybody but this very host.
  const name = isSecure ? '__Host-beckon' : 'beckon'
  const known = cookie(request, name)
  const secret = known ?? randomSecret(24)
  const token = hmac(secret, flow)
  const set = `${name}=${secret}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    hash: sha256(`beckon browser ${secret}`),
    csrf: html`<input type="hidden" name="${field}" value="${token}">`,
    headers: known === undefined ? { 'Set-Cookie': set } : {},
    isOurs: form => known !== undefined && isFromHere(request, base) && isSameText(form.get(field) ?? '', token),
  }
}

/** What browsers say about where a request comes from. Those that say nothing are told by the token. */
function isFromHere(request: Request, base: string): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = request.headers.get('origin')
  // No referrer is sent from our pages, and `null` is the origin that goes with that.
  return origin === null || origin === 'null' || origin === new URL(base).origin
}

function cookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [key, value] = pair.trim().split('=')
    if (key === name && value !== undefined && /^[\w-]{32}$/.test(value)) return value
  }
  return undefined
}

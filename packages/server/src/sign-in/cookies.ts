// Every cookie of ours is HttpOnly and SameSite=Lax. Not Strict: a person follows the one-time link, or comes back from
// their sign-in, out of another site, and a browser would keep a Strict cookie from the very next redirect. What Lax adds
// is that links from elsewhere work; reading is all they can do (`cookieRefusal`).
// Over https the name has the prefix `__Host-`, which keeps neighbours on the same domain from setting it. Over http, on
// this machine, cookies are shared by all ports, so the port is part of the name and two of ours do not sign each other out.
import type { BrowserRequest, Header } from './browser-request.js'

export interface CookiePlace {
  /** What it is for: part of its name, and different for what shares a host. */
  readonly kind: string
  /** Where people find us, when that is known. */
  readonly publicOrigin: string | undefined
}

/** A cookie's value; undefined when it is absent or, so that none can be slipped in front, when it is there twice. */
export function readCookie(request: BrowserRequest, place: CookiePlace): string | undefined {
  const prefix = `${nameOf(request, place)}=`
  const found = (request.header('cookie') ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(prefix))
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined
}

export function setCookie(request: BrowserRequest, place: CookiePlace, value: string, maxAgeMs: number): Header {
  const secure = isSecure(place) ? '; Secure' : ''
  const maxAge = Math.floor(maxAgeMs / 1000)
  const name = nameOf(request, place)
  return ['Set-Cookie', `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`]
}

export function clearCookie(request: BrowserRequest, place: CookiePlace): Header {
  return setCookie(request, place, '', 0)
}

function nameOf(request: BrowserRequest, place: CookiePlace): string {
  if (isSecure(place)) return `__Host-beckon-${place.kind}`
  const port = /:(\d+)$/.exec(request.header('host') ?? '')?.[1] ?? '80'
  return `beckon-${place.kind}-${port}`
}

function isSecure({ publicOrigin }: CookiePlace): boolean {
  return publicOrigin?.startsWith('https:') ?? false
}

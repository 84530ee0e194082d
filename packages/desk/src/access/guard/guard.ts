// Threats: a page that a person visits makes its own host name resolve to this machine (DNS rebinding), opens a WebSocket
// to the desk with the person's cookie (cross-site hijacking), posts to it (CSRF), frames or embeds it. The browser tells
// where a request comes from in Host, Origin and Sec-Fetch-*, and a page can forge none of them.
// Stricter than a server's guard: a desk has cookies, and cookies do not know ports, so another page on this machine is a
// stranger like any other.
// Not defended: programs, which send the headers they like, and therefore need a token; a browser too old for Sec-Fetch-*
// that embeds our pages (SameSite still keeps the cookie back); another server on this machine, on another port of the
// same host name, which gets our cookie from a browser that visits it.

import { isLoopback } from 'beckon/http/adapter'
import { secureUrl } from 'beckon/sign-in/adapter'
import type { AccessRequest } from '../access.js'

export interface Guard {
  /** Host names, with a port or for any port. */
  readonly hosts: readonly string[]
  /** Origins of other pages that may call with a token. */
  readonly origins: readonly string[]
  /** Where people find the desk, when that is not what Host says. */
  readonly publicOrigin: string | undefined
}

export interface GuardOptions {
  /** Where the desk listens. */
  readonly host: string
  readonly port: number
  /** Host names, with or without a port, that requests may be for, beside those of this machine on a loopback address. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins (`https://app.example`) of other pages that may call the desk with a token; never with a cookie. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Where people find the desk behind a proxy: its host is allowed, and its origin is then the only one of our own. */
  readonly publicUrl?: string | undefined
}

/** The guard of a desk that listens there. Throws when nothing says which host names are its own. */
export function guardFor({ host, port, allowedHosts = [], allowedOrigins = [], publicUrl }: GuardOptions): Guard {
  const url = publicUrl === undefined ? undefined : secureUrl(publicUrl, 'publicUrl')
  const own = isLoopback(host) ? ['localhost', '127.0.0.1', '[::1]', inUrl(host)].map(name => `${name}:${port}`) : []
  const hosts = [...own, ...allowedHosts, ...(url === undefined ? [] : [url.host])].map(name => name.toLowerCase())
  if (hosts.length === 0) {
    throw new TypeError(`A desk on ${host} needs allowedHosts or publicUrl: the host names that people reach it by.`)
  }
  const notAnOrigin = allowedOrigins.find(origin => !URL.canParse(origin) || new URL(origin).origin !== origin)
  if (notAnOrigin !== undefined) {
    throw new TypeError(`allowedOrigins takes origins such as "https://app.example", and not "${notAnOrigin}".`)
  }
  return { hosts, origins: allowedOrigins, publicOrigin: url?.origin }
}

/** Why a request, or an upgrade, may not come in at all; undefined when it may. */
export function refusal(request: AccessRequest, guard: Guard): string | undefined {
  if (!isOwnHost(request.header('host')?.toLowerCase() ?? '', guard)) return 'Host not allowed'
  const origin = request.header('origin')
  if (origin === undefined) return isEmbedded(request) ? 'Not for other pages' : undefined
  return guard.origins.includes(origin) || isOwnOrigin(request, guard.publicOrigin) ? undefined : 'Origin not allowed'
}

/**
 * Why a cookie that came with a request does not count; undefined when it does. Whatever changes something, and every
 * upgrade, has to come from our own page and say so.
 */
export function cookieRefusal(request: AccessRequest, publicOrigin: string | undefined): string | undefined {
  if (isEmbedded(request)) return 'Not for other pages'
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && !isUpgrade(request) && request.header('origin') === undefined) return undefined
  return isOwnOrigin(request, publicOrigin) ? undefined : 'Not from our own page'
}

export function isUpgrade(request: AccessRequest): boolean {
  return request.header('upgrade') !== undefined
}

function isOwnHost(host: string, { hosts }: Guard): boolean {
  const name = host.replace(/:\d+$/, '')
  return hosts.includes(host) || hosts.includes(name) || (host === name && hosts.includes(`${name}:80`))
}

function isOwnOrigin(request: AccessRequest, publicOrigin: string | undefined): boolean {
  const origin = request.header('origin')
  if (origin === undefined) return false
  if (publicOrigin !== undefined) return origin === publicOrigin
  const scheme = /^https?:\/\//.exec(origin)?.[0]
  const host = request.header('host')
  if (scheme === undefined || host === undefined || /[^\w.:[\]-]/.test(host)) return false
  const own = `${scheme}${host}`
  return URL.canParse(own) && new URL(own).origin === origin
}

/** Whether a foreign page asked for this other than by sending the person here. */
function isEmbedded(request: AccessRequest): boolean {
  const site = request.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  const isVisit = request.header('sec-fetch-mode') === 'navigate' && request.header('sec-fetch-dest') === 'document'
  return !(isVisit && request.method === 'GET')
}

function inUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

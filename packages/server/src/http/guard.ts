// Threat: DNS rebinding. A page that a person visits makes its own host name resolve to 127.0.0.1 and posts to a server
// that trusts anyone who can reach it. The browser then says so in Host and in Origin, and can forge neither.
// Not defended: other programs on the same machine (they can send any header), and a server that is bound to a public
// address without `allowedHosts` (there Host proves nothing; Origin still keeps foreign pages out).
// Pages of other origins get no CORS headers from us: mount a CORS middleware in front to let a browser client in.

import { isLoopback } from '../runtime/loopback.js'
import type { Exchange } from './exchange/exchange.js'

export interface Guard {
  /** Host names, with or without a port, that requests may be for. Undefined: any. */
  readonly allowedHosts: readonly string[] | undefined
  /** Origins (`https://app.example`) or host names of pages that may make requests. */
  readonly allowedOrigins: readonly string[]
}

/** Why a request may not pass, or undefined when it may. A page on this machine may call a server on this machine. */
export function refusal(exchange: Exchange, guard: Guard): string | undefined {
  const refused = hostRefusal(exchange, guard)
  const origin = exchange.header('origin')
  if (refused !== undefined || origin === undefined) return refused
  return originAllowed(origin, exchange.header('host'), guard.allowedOrigins)
    ? undefined
    : `Origin not allowed: ${origin}`
}

/** The same for one of our own pages, which browsers come to from anywhere. */
export function hostRefusal(exchange: Exchange, { allowedHosts }: Guard): string | undefined {
  const host = exchange.header('host')
  return hostAllowed(host, allowedHosts) ? undefined : `Host not allowed: ${host ?? '(none)'}`
}

export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

function hostAllowed(host: string | undefined, allowed: readonly string[] | undefined): boolean {
  if (allowed === undefined) return true
  if (host === undefined) return false
  const lower = host.toLowerCase()
  return allowed.includes(hostnameOf(lower)) || allowed.includes(lower)
}

function originAllowed(origin: string, host: string | undefined, allowed: readonly string[]): boolean {
  if (!URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  if (allowed.includes(origin) || allowed.includes(hostname)) return true
  return isLoopback(hostname) && host !== undefined && isLoopback(hostnameOf(host))
}

function hostnameOf(host: string): string {
  return host.replace(/:\d+$/, '')
}

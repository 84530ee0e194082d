// Threat: where callers are anonymous, anyone who reaches a gateway may use every application that anyone has claimed, and is the
// person that those ask. So without `identify` it serves this machine alone, however it is served.
// Not defended: a proxy on this machine that does not say that it is one; `fetch` behind a server that others can reach and
// that passes on what they call the host. Give such a gateway `identify`.
import type { NodeListener, ServerOptions } from 'beckon'
import { isForwarded, isFromThisMachine, isLoopback } from 'beckon/http/adapter'

type Reach = Pick<ServerOptions, 'identify' | 'publicUrl' | 'allowedHosts'>

const refused = 'This gateway cannot tell people apart, and serves its own machine alone. Give it server.identify.'
const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message: refused }, id: null })
const headers = { 'content-type': 'application/json' }

/** Throws for options by which others could reach a gateway that cannot tell them apart. */
export function checkReach({ identify, publicUrl, allowedHosts = [] }: Reach): void {
  if (identify !== undefined) return
  const hosts = publicUrl === undefined ? allowedHosts : [...allowedHosts, new URL(publicUrl).host]
  for (const host of hosts) checkHost(host, { identify })
}

/** Throws for an address to listen on, likewise. */
export function checkHost(host: string, { identify }: Reach): void {
  if (identify !== undefined || isLoopback(hostnameOf(host))) return
  throw new TypeError(
    `A gateway on ${host} needs to know who calls: give it server.identify, or have it listen on 127.0.0.1.`,
  )
}

/** A listener that takes requests of this machine, and of no proxy on it. */
export function localNode(listener: NodeListener): NodeListener {
  return (request, response) => {
    if (isFromThisMachine(request)) listener(request, response)
    else response.writeHead(403, headers).end(body)
  }
}

/** The same over web standards, where a request does not say where it came from: what it is for has to do. */
export function localFetch(fetch: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  return async request => {
    const host = request.headers.get('host') ?? new URL(request.url).host
    const isFromElsewhere = isForwarded(name => request.headers.has(name)) || !isLoopback(hostnameOf(host))
    return isFromElsewhere ? new Response(body, { status: 403, headers }) : fetch(request)
  }
}

function hostnameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '')
}

// An authorization server that does what a test says, where a real one would have to be broken for it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEveryTest } from '../../../../test/every-file.js'

const open: { close(): Promise<void> }[] = []
afterEveryTest(async () => {
  for (const it of open.splice(0)) await it.close()
})

export interface TokenReply {
  readonly status: number
  readonly body: unknown
}

export interface LittleIssuer {
  readonly issuer: string
  /** What came to the token endpoint. */
  readonly requests: URLSearchParams[]
  /** Answers the token endpoint; undefined never answers. */
  reply: (request: URLSearchParams) => TokenReply | undefined | Promise<TokenReply>
  close(): Promise<void>
}

export async function littleIssuer(): Promise<LittleIssuer> {
  const http = createServer((request, response) => void serve(request, response))
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/.well-known/openid-configuration') {
      const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
      const metadata = { issuer, ...endpoints, authorization_response_iss_parameter_supported: true }
      response.end(JSON.stringify(metadata))
      return
    }
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    little.requests.push(form)
    const reply = await little.reply(form)
    if (reply === undefined) return
    response.statusCode = reply.status
    response.end(JSON.stringify(reply.body))
  }

  const little: LittleIssuer = {
    issuer,
    requests: [],
    reply: () => granted(`token-${little.requests.length}`),
    close: () =>
      new Promise(resolve => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  open.push(little)
  return little
}

export function granted(token: string, more: Record<string, unknown> = {}): TokenReply {
  return { status: 200, body: { access_token: token, token_type: 'bearer', ...more } }
}

export function refused(error: string): TokenReply {
  return { status: 400, body: { error } }
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A stand-in for the authorization server of somebody's notes: it knows Ada, and asks nothing. */
export async function startAuthorizationServer(): Promise<{ issuer: string; close(): void }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = `${new URLSearchParams({ code: 'a-code', state: searchParams.get('state') ?? '', iss: issuer })}`
      response.writeHead(302, { location: back.href }).end()
      return
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(pathname === '/token' ? token : metadata))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const token = { access_token: 'a-token-of-ada', token_type: 'bearer', expires_in: 3600 }
  const metadata = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
  return { issuer, close: () => server.close() }
}

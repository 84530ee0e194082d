// The backend of a page: serves what was built, and fetches tickets of the desk for whoever is signed in here.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

export async function servePages(
  folder: string,
  { token, desk }: { token: string; desk(): string },
): Promise<{ origin: string; close(): void }> {
  const server = createServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    if (pathname === '/desk-ticket') {
      const headers = { authorization: `Bearer ${token}` }
      const given = await fetch(new URL('/ticket', desk()), { method: 'POST', headers })
      response.writeHead(given.status, { 'content-type': 'application/json' }).end(await given.text())
      return
    }
    const body = await readFile(join(folder, normalize(pathname))).catch(() => undefined)
    response.writeHead(body ? 200 : 404, { 'content-type': types[extname(pathname)] ?? 'text/plain' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

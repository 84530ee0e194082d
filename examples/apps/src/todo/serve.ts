// Any web server would do. The modules are served as they were built: nothing is bundled.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const html = `<!doctype html>
<html lang="en">
  <title>Todos</title>
  <script type="importmap">
    { "imports": { "@beckon/app/browser": "/app/browser.js", "@beckon/core": "/core/index.js", "@beckon/core/json-rpc": "/core/json-rpc/index.js" } }
  </script>
  <h1>Todos</h1>
  <ul id="todos"></ul>
  <p>Agent: <output id="claim">...</output></p>
  <script type="module" src="/page/page.js"></script>
</html>
`

const folders: Record<string, string> = {
  page: import.meta.resolve('./page.js'),
  app: import.meta.resolve('@beckon/app/browser'),
  core: import.meta.resolve('@beckon/core'),
}

/** Serves the page on this machine. */
export async function serveTodoPage(): Promise<{ url: string; close(): void }> {
  const server = createServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const [, folder = '', path = ''] = /^\/(\w+)\/([\w./-]+\.js)$/.exec(pathname) ?? []
    const base = folders[folder]
    if (pathname === '/') response.setHeader('Content-Type', 'text/html').end(html)
    else if (base === undefined) response.writeHead(404).end()
    else response.setHeader('Content-Type', 'text/javascript').end(await readFile(new URL(path, base)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

// `deno run -A dist/deno.js`: behind Deno's own server.
import { createTodos } from './todos.js'

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen(): void },
    serve: (request: Request) => Promise<Response>,
  ): {
    addr: { port: number }
  }
}

// With a key of its own, a call outlives this process.
const server = createTodos({ keys: process.env.BECKON_KEY })
const { addr } = Deno.serve({ hostname: '127.0.0.1', port: Number(process.env.PORT ?? 0), onListen() {} }, request =>
  server.fetch(request),
)
console.log(`Listening on http://127.0.0.1:${addr.port}/mcp`)

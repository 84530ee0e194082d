// `bun dist/bun.js`: behind Bun's own server.
import { createTodos } from './todos.js'

declare const Bun: {
  serve(options: { hostname: string; port: number; idleTimeout: number; fetch(request: Request): Promise<Response> }): {
    port: number
  }
}

// With a key of its own, a call outlives this process.
const server = createTodos({ keys: process.env.BECKON_KEY })
const { port } = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT ?? 0),
  // A person thinks longer than the ten seconds after which Bun takes a stream for dead.
  idleTimeout: 60,
  fetch: request => server.fetch(request),
})
console.log(`Listening on http://127.0.0.1:${port}/mcp`)

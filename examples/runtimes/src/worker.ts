// A Cloudflare Worker, with no store: what a call has learned travels with the client, sealed. Requests of one call may reach
// any isolate, so all of them need the same key: `wrangler secret put BECKON_KEY`.
import { env } from 'cloudflare:workers'
import { createTodos } from './todos.js'

const server = createTodos({ keys: env.BECKON_KEY })

export default { fetch: (request: Request): Promise<Response> => server.fetch(request) }

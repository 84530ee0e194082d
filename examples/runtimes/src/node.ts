// `node dist/node.js`; Bun and Deno run it too.
import { createTodos } from './todos.js'

// With a key of its own, a call outlives this process.
const server = createTodos({ keys: process.env.BECKON_KEY })
const { url } = await server.listen({ port: Number(process.env.PORT ?? 0) })
console.log(`Listening on ${url}`)

// The server that the official MCP suite is run against: every fixture it calls by name, written with `beckon` alone.
import { createServer } from 'beckon'
import { registerAskTools } from './fixtures/asks.js'
import { registerContentTools } from './fixtures/content.js'
import { registerPrompts } from './fixtures/prompts.js'
import { registerResources } from './fixtures/resources.js'
import { registerTaskTools } from './fixtures/tasks.js'

const server = createServer({ name: 'beckon-conformance', version: '1.0.0' })

// The suite calls the first tool of the list without arguments: the content tools come first.
registerContentTools(server)
registerAskTools(server)
registerTaskTools(server)
registerPrompts(server)
registerResources(server)

const { url } = await server.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })
console.log(`Listening on ${url}`)

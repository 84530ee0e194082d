// Starts the server, calls its tool once as an agent would, and puts the asks to you in this terminal.
import { askOnce } from './ask-once.js'
import { createCafe } from './server.js'
import { Terminal } from './terminal.js'

const server = createCafe()
const { url } = await server.listen({ port: Number(process.env.PORT ?? 0) })
console.log(`A server whose tool asks a person is running at ${url}`)
console.log(`Add it to a client, for example: claude mcp add --transport http cafe ${url}`)
console.log('An agent calls its tool "order_coffee" now.')

const terminal = new Terminal()
const said = await askOnce(url, 'modern', (message, form) => terminal.ask(server.name, message, form))
terminal.close()
console.log(`\nThe agent gets: ${said}`)
console.log('The server keeps running. Ctrl-C ends it.')

// The same confirm in a tool of a server itself, with no application behind it.

import { createServer } from 'beckon'
import { answerCommands } from '../../commands.mjs'

const server = createServer({ name: 'direct', version: '1.0.0' })
server.tool('bench__clear', {}, async (_input, ctx) => ((await ctx.confirm('Clear?')) ? 'cleared' : 'kept'))
answerCommands()
const { url } = await server.listen({ port: 0 })
process.send?.({ url })

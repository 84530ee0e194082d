// A tool that asks, as it is and as a task, with its calls in the store at the URL that is given.
import { createServer } from 'beckon'
import { openFor } from '../../../faults/open-store.mjs'
import { ready } from '../../wires/load/ready.mjs'

const server = createServer({ name: 'bench', version: '1.0.0', store: await openFor(process.argv[2] ?? '') })
const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
for (const [name, config] of /** @type {const} */ ([
  ['ask', {}],
  ['ask-as-task', { task: 'required' }],
]))
  server.tool(name, config, async (_input, ctx) => {
    const answer = /** @type {{ name: string } | null} */ (await ctx.elicit({ question: 'Your name?', schema }))
    return ctx.text(`hello ${answer?.name}`)
  })

const { url } = await server.listen({ port: 0 })
ready(url)

// The canonical pattern of the page that shows the official TypeScript SDK.
import { McpServer } from '@modelcontextprotocol/server'
import { asks, type BeckonServer, type Context } from 'beckon'

export const fallback =
  "Confirmation required. Please ask the user: 'Delete all items? This cannot be undone.' Then call this tool again with their answer."

const description = 'Delete all items after confirmation'

async function deleteAll(canAsk: boolean | undefined, ctx: Context) {
  if (canAsk) {
    const r = await ctx.elicitInput({
      mode: 'form',
      message: 'Delete all items? This cannot be undone.',
      requestedSchema: {
        type: 'object',
        properties: { confirm: { type: 'boolean', title: 'Confirm deletion' } },
        required: ['confirm'],
      },
    })
    if (r.action === 'accept' && r.content?.confirm) {
      return { content: [{ type: 'text', text: 'Deleted.' }] }
    }
    return { content: [{ type: 'text', text: 'Cancelled.' }] }
  }
  return { content: [{ type: 'text', text: fallback }] }
}

/** On a server of ours. What stands in for `server.getClientCapabilities()` is the one thing that differs. */
export function officialSdk(server: BeckonServer): void {
  server.tool('delete_all', { description }, (_, ctx) => deleteAll(ctx.canAsk.form, ctx))
  server.tool('by_client', { description }, (_, ctx) => deleteAll(ctx.agentCapabilities.elicitation?.form, ctx))
  server.tool('who', {}, async (_, ctx) => {
    const r = await ctx.elicitInput({
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    })
    return { ...r }
  })
}

/** On the server that is there already. */
export function officialServer(): McpServer {
  const server = new McpServer({ name: 'items', version: '1.0.0' })
  server.registerTool(
    'delete_all',
    { description },
    asks(async ctx => deleteAll(ctx.canAsk.form, ctx)),
  )
  return server
}

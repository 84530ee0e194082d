// A server for examining clients: its tools ask in every way, and each says what came of it.
import { type BeckonServer, type Context, createServer } from 'beckon'
import { clientInfo } from '../client-info.js'

/** What was seen of a client in one call. */
export interface Seen {
  readonly tool: string
  readonly declares: readonly string[]
  readonly outcome: string
}

const every = {
  type: 'object',
  properties: {
    text: { type: 'string', title: 'Text', minLength: 1, default: 'as it is' },
    mail: { type: 'string', title: 'E-mail', format: 'email' },
    whole: { type: 'integer', title: 'Whole number', minimum: 1, maximum: 9, default: 3 },
    number: { type: 'number', title: 'Number', default: 1.5 },
    yes: { type: 'boolean', title: 'Yes or no', default: true },
    one: {
      type: 'string',
      title: 'One of',
      oneOf: [
        { const: 'a', title: 'First' },
        { const: 'b', title: 'Second' },
      ],
    },
    any: { type: 'array', title: 'Any of', items: { type: 'string', enum: ['x', 'y', 'z'] } },
  },
  required: ['text'],
} as const

/** The server. `tell` hears of everything that is seen. */
export function createProbe(tell: (seen: Seen) => void): BeckonServer {
  const server = createServer({ ...clientInfo, name: 'beckon-doctor' })
  const probe = (name: string, description: string, ask: (ctx: Context) => Promise<string>) =>
    server.tool(name, { description }, async (_input, ctx) => {
      // It goes into a sentence.
      const why = (error: unknown) => (error instanceof Error ? error.message : String(error)).replace(/\.+$/, '')
      const outcome = await ask(ctx).catch(error => `failed: ${why(error)}`)
      const seen = { tool: name, declares: declaredBy(ctx), outcome }
      tell(seen)
      return ctx.json(seen)
    })
  probe('probe_capabilities', 'Say what this client declares', async () => 'nothing was asked')
  probe('probe_confirm', 'Ask for a yes or no', async ctx =>
    (await ctx.confirm('Is this shown to you?')) ? 'accept' : 'not accepted',
  )
  probe('probe_form', 'Ask a question of every kind', async ctx => {
    const outcome = await ctx.elicit.form('Answer as you like.', every)
    // What a person answered is nobody's business: which fields came back is enough.
    return outcome.action === 'accept' ? `accept with ${Object.keys(outcome.content).join(', ')}` : outcome.action
  })
  probe(
    'probe_url',
    'Ask to open a page',
    async ctx => (await ctx.elicit.url('Open a page.', 'https://example.com/')).action,
  )
  probe('probe_two', 'Ask two things at once', async ctx => {
    const outcomes = await Promise.all(['First?', 'Second?'].map(question => ctx.confirm(question)))
    return outcomes.map(accepted => (accepted ? 'accept' : 'not accepted')).join(', ')
  })
  probe('probe_person', 'Find out whether this client answers by itself', async ctx => {
    const question = 'Is anybody there? Read this, and then choose as you like: only how long you take is looked at.'
    const askedAt = Date.now()
    const { action, why } = await ctx.confirm.outcome({ question, person: 'present' })
    const tookMs = Date.now() - askedAt
    if (why === 'no-person') return `the client answers by itself: nobody can have read the question in ${tookMs} ms`
    return why === undefined ? `${action} after ${tookMs} ms, as a person might` : `nobody was asked: ${why}`
  })
  return server
}

function declaredBy({ agentCapabilities, clientCapabilities }: Context): string[] {
  const { form = false, url = false } = agentCapabilities.elicitation ?? {}
  const others = Object.keys(clientCapabilities).filter(name => name !== 'elicitation')
  return [...(form ? ['elicitation: form'] : []), ...(url ? ['elicitation: url'] : []), ...others]
}

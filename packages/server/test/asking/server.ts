// A server whose tools, prompts and resources ask in every way there is, for published clients to be tried on.
import { type BeckonServer, createServer } from 'beckon'
import { z } from 'zod'

const table = z.object({ name: z.string().min(1), seats: z.int().min(1).max(4) })

export function createAskingServer(): BeckonServer {
  const server = createServer({ name: 'asking', version: '1.0.0', person: 'unchecked' })
  addForms(server)
  addUrls(server)
  addWork(server)
  server.prompt('letter', { description: 'Asks for a tone.' }, async (_args, ctx) => {
    const tone = await ctx.elicit({ question: 'Which tone?', schema: ['warm', 'formal'] })
    return `Write a ${tone ?? 'plain'} letter.`
  })
  server.resource(
    'notes://{id}',
    { description: 'Asks before it shows a note.', mimeType: 'text/plain' },
    async ({ vars }, ctx) => ((await ctx.confirm(`Show note ${vars.id}?`)) ? `Note ${vars.id}.` : 'Hidden.'),
  )
  return server
}

function addForms(server: BeckonServer): void {
  server.tool('book', { description: 'Asks for a table.' }, async (_input, ctx) => {
    const outcome = await ctx.elicit.form('Which table?', table)
    return outcome.action === 'accept' ? `Booked ${outcome.content.seats} for ${outcome.content.name}.` : outcome.action
  })
  server.tool(
    'erase',
    { description: 'Asks before it erases.', annotations: { requiresConfirmation: true } },
    async (_input, ctx) => ((await ctx.confirm('Erase everything?')) ? 'Erased.' : 'Kept.'),
  )
  server.tool('order', { description: 'Asks twice in a row.' }, async (_input, ctx) => {
    const drink = await ctx.elicit({ question: 'Which drink?', schema: ['tea', 'coffee'] })
    const sure = await ctx.confirm(`One ${drink}?`)
    return sure ? `One ${drink}.` : 'Nothing.'
  })
  server.tool('pair', { description: 'Asks two things at once.' }, async (_input, ctx) => {
    const [first, second] = await Promise.all([
      ctx.elicit({ question: 'The first?', schema: String }),
      ctx.elicit({ question: 'The second?', schema: String }),
    ])
    return `${first} and ${second}`
  })
}

function addUrls(server: BeckonServer): void {
  server.tool('visit', { description: 'Asks to open a page.' }, async (_input, ctx) => {
    const { action } = await ctx.elicit.url('Please have a look.', 'https://example.com/look')
    return action
  })
  server.tool(
    'link',
    { description: 'Asks to open a page, and waits until it is done there.', input: z.object({ id: z.string() }) },
    async ({ id }, ctx) => {
      const page = `https://example.com/link/${id}`
      const { action } = await ctx.elicit.url('Please link.', page, { waitForCompletion: true, elicitationId: id })
      return `${action}, and the page is done`
    },
  )
  server.tool(
    'done',
    { description: 'Ends the wait for a page.', input: z.object({ id: z.string() }) },
    async ({ id }) => String(await server.completeElicitation(id)),
  )
}

function addWork(server: BeckonServer): void {
  let onCancelled = (_text: string): void => {}
  const cancelled = new Promise<string>(resolve => {
    onCancelled = resolve
  })
  let onEnough = (): void => {}
  server.tool('count', { description: 'Reports progress, and goes on until `enough`.' }, async (_input, ctx) => {
    const enough = new Promise<void>(resolve => {
      onEnough = resolve
    })
    for (const step of [1, 2, 3]) ctx.progress(step, 3, `step ${step}`)
    await enough
    return 'Counted.'
  })
  server.tool('enough', { description: 'Ends `count`.' }, () => onEnough())
  server.tool('hang', { description: 'Reports progress, and goes on until it is cancelled.' }, (_input, ctx) => {
    ctx.progress(1)
    return new Promise<string>(resolve => {
      ctx.signal.addEventListener('abort', () => {
        onCancelled('It was cancelled.')
        resolve('Too late.')
      })
    })
  })
  server.tool('cancelled', { description: 'Waits until `hang` was cancelled.' }, () => cancelled)
  server.tool(
    'report',
    { description: 'Asks, in a task where there are tasks.', task: 'optional' },
    async (_input, ctx) => ((await ctx.confirm('Send the report?')) ? 'Sent.' : 'Not sent.'),
  )
}

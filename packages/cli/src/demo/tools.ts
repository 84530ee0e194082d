// What the example server offers: one tool for each way of asking.
import { setTimeout as delay } from 'node:timers/promises'
import type { BeckonServer } from 'beckon'
import { samples } from './gallery.js'
import { people } from './people.js'

/** Adds the example tools. `pageUrl` is the address of the example page for an id. */
export function addTools(server: BeckonServer, pageUrl: (id: string) => string): void {
  server.tool(
    'clear_completed',
    {
      description: 'Remove every completed todo. Asks for a yes first.',
      annotations: { destructive: true, requiresConfirmation: true },
    },
    async (_input, ctx) => {
      if (!(await ctx.confirm('Remove 5 completed todos? This cannot be undone.'))) return 'Nothing removed.'
      return ctx.json({ removed: await ctx.step('remove', () => 5) })
    },
  )

  server.tool(
    'publish_post',
    {
      description: 'Publish a post. Two people have to agree.',
      approval: { audience: { principals: [people.first, people.second] }, quorum: 2 },
    },
    async (_input, ctx) => {
      const { action, reason = 'no reason was given' } = await ctx.confirm.outcome({
        question: 'Publish “What we learned in May” on the company’s site?',
      })
      return action === 'accept' ? 'The post is out.' : `The post stays a draft: ${reason}.`
    },
  )

  server.tool(
    'water_plants',
    {
      description: 'Water the plants. Asks Ada by name, who can allow it for good.',
      approval: { audience: { principals: [people.first] } },
    },
    async (_input, ctx) => {
      return (await ctx.confirm('Water the plants in the office?')) ? 'Watered.' : 'The plants stay dry.'
    },
  )

  server.tool('plan_trip', { description: 'Plan a trip. Asks a question of every kind.' }, async (_input, ctx) => {
    const outcome = await ctx.elicit.form('Where shall we go?', tripForm)
    if (outcome.action !== 'accept') return 'No trip.'
    return ctx.json(outcome.content)
  })

  server.tool('order_coffee', { description: 'Order a coffee. Asks twice in a row.' }, async (_input, ctx) => {
    const drink = await ctx.elicit({ question: 'Which coffee?', schema: ['espresso', 'cappuccino', 'filter'] })
    if (drink === null) return 'No coffee today.'
    if (!(await ctx.confirm(`One ${drink} for 3.20?`))) return 'Nothing ordered.'
    return `One ${drink}, coming up.`
  })

  server.tool('pick_gifts', { description: 'Pick gifts. Asks two things at once.' }, async (_input, ctx) => {
    const [ada, grace] = await Promise.all([
      ctx.elicit({ question: 'A gift for Ada?', schema: ['a book', 'flowers', 'a puzzle'] }),
      ctx.elicit({ question: 'A gift for Grace?', schema: ['a compass', 'a clock', 'a moth'] }),
    ])
    return `Ada gets ${ada ?? 'nothing'}, Grace gets ${grace ?? 'nothing'}.`
  })

  server.tool(
    'sign_terms',
    { description: 'Have the terms signed. Sends the person to a page, and goes on when that is done.' },
    async (_input, ctx) => {
      const elicitationId = await ctx.step('page', () => crypto.randomUUID())
      const { action } = await ctx.elicit.url('Read the terms, and sign them.', pageUrl(elicitationId), {
        elicitationId,
        waitForCompletion: true,
      })
      return action === 'accept' ? 'The terms are signed.' : 'The terms are not signed.'
    },
  )

  server.tool(
    'build_report',
    { description: 'Build a long report, as a task where the client has tasks. Asks half way.', task: 'optional' },
    async (_input, ctx) => {
      for (const [done, what] of ['Collecting', 'Sorting'].entries()) {
        ctx.progress(done, 4, what)
        await delay(stepMs, undefined, { signal: ctx.signal })
      }
      const format = await ctx.elicit({ question: 'The figures are ready. Which format?', schema: ['PDF', 'HTML'] })
      if (format === null) return 'No report.'
      ctx.progress(3, 4, 'Writing')
      await delay(stepMs, undefined, { signal: ctx.signal })
      return `The report is there, as ${format}.`
    },
  )

  server.tool('restart_servers', { description: 'Restart servers. Asks with a table.' }, async (_input, ctx) => {
    const answer = await ctx.elicit({ question: 'Which servers shall be restarted?', ...samples.table })
    return answer === null ? 'None.' : ctx.json(answer)
  })
}

const stepMs = 400

const tripForm = {
  type: 'object',
  properties: {
    destination: { type: 'string', title: 'Destination', description: 'A city or a country', minLength: 2 },
    email: { type: 'string', title: 'E-mail', description: 'Where to send the tickets', format: 'email' },
    departure: { type: 'string', title: 'Departure', format: 'date' },
    wishes: { type: 'string', title: 'Wishes', description: 'Anything else that matters', maxLength: 2000 },
    travellers: { type: 'integer', title: 'Travellers', minimum: 1, maximum: 9, default: 2 },
    budget: { type: 'number', title: 'Budget', description: 'In euro, for everyone', minimum: 0 },
    flexible: { type: 'boolean', title: 'Dates are flexible', default: true },
    by: {
      type: 'string',
      title: 'Travel by',
      oneOf: [
        { const: 'train', title: 'Train' },
        { const: 'plane', title: 'Plane' },
        { const: 'ship', title: 'Ship' },
      ],
      default: 'train',
    },
    interests: {
      type: 'array',
      title: 'Interests',
      items: { type: 'string', enum: ['Museums', 'Food', 'Hiking', 'Music', 'Beaches'] },
      default: ['Food'],
    },
  },
  required: ['destination', 'travellers', 'by'],
} as const

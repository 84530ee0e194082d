// The same server on every runtime.
import { type BeckonServer, createServer, type ServerOptions } from 'beckon'
import { z } from 'zod'

const todo = z.object({ title: z.string().min(1), days: z.int().min(1).max(31) })

export function createTodos(options: Partial<ServerOptions> = {}): BeckonServer {
  const server = createServer({ name: 'todos', version: '1.0.0', ...options })
  let downloads = 0

  server.tool('archive', { description: 'Archives done todos.', task: 'optional' }, async (_input, ctx) =>
    (await ctx.confirm('Archive 5 done todos?')) ? 'Archived.' : 'Nothing archived.',
  )

  server.tool('add', { description: 'Adds a todo.', task: 'optional' }, async (_input, ctx) => {
    const outcome = await ctx.elicit.form('What is to be done?', todo)
    if (outcome.action !== 'accept') return 'Nothing added.'
    return `Added "${outcome.content.title}", due in ${outcome.content.days} days.`
  })

  server.tool('connect', { description: 'Connects a calendar.', task: 'optional' }, async (_input, ctx) => {
    const { action } = await ctx.elicit.url('Please sign in to your calendar.', 'https://calendar.example/sign-in')
    return action === 'accept' ? 'Connected.' : 'Not connected.'
  })

  server.tool('import', { description: 'Imports todos from a calendar.', task: 'optional' }, async (_input, ctx) => {
    const calendar = await ctx.elicit({ question: 'From which calendar?', schema: ['work', 'home'] })
    // A step runs once, however often the handler is replayed.
    const download = await ctx.step('download', () => ++downloads)
    if (!(await ctx.confirm(`Import download ${download} of ${calendar}?`))) return 'Nothing imported.'
    return `Imported download ${download} of ${downloads} from ${calendar}.`
  })
  return server
}

// A page with one action that asks, and a resource that shows when it is there.
import { app } from '@beckon/app/browser'

const todo = app({ id: 'todo', name: 'Todos' })
todo.action('clear').handler(async (_input, ctx) => ((await ctx.confirm('Remove them all?')) ? 'removed' : 'kept'))
todo.resource('title').read(() => document.title)
await todo.connect(`ws://${location.host}/app`, {
  onClaimCode: code => {
    for (const output of document.querySelectorAll('output')) output.textContent = code
  },
})
document.title = 'connected'

// The page itself, in a browser.
import { app } from '@beckon/app/browser'

const todos = [
  { title: 'Buy milk', done: true },
  { title: 'Call Ada', done: false },
  { title: 'Water the plants', done: true },
]
const list = element('todos')
const claim = element('claim')
render()

const todo = app({ id: 'todo', name: 'Todos' })

todo
  .action('clearCompleted')
  .describe('Remove every completed todo')
  .annotate({ destructive: true, requiresConfirmation: true })
  .handler(async (_input, ctx) => {
    const completed = todos.filter(({ done }) => done)
    const ok = await ctx.confirm({
      question: `Remove ${completed.length} completed todos? This cannot be undone.`,
    })
    if (!ok) return { removed: 0, cancelled: true }
    for (const each of completed) todos.splice(todos.indexOf(each), 1)
    render()
    return { removed: completed.length }
  })

todo.resource('open').read(() => todos.filter(({ done }) => !done).length)

await todo.connect(new URLSearchParams(location.search).get('gateway') ?? '', {
  onClaimCode: code => show('unclaimed', code),
  onClaimed: agent => show('claimed', agent.name),
})

function show(state: string, text: string): void {
  claim.className = state
  claim.textContent = text
}

function render(): void {
  const items = todos.map(({ title, done }) => {
    const item = document.createElement('li')
    item.textContent = `${title}${done ? ' (done)' : ''}`
    return item
  })
  list.replaceChildren(...items)
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no element "${id}".`)
  return found
}

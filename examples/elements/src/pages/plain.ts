import '@beckon/inbox'
import { desk, getTicket, request, session } from './here.js'

const said = document.createElement('output')
const one = Object.assign(document.createElement('beckon-request'), { desk, getTicket, session, request, undoMs: 0 })
const all = Object.assign(document.createElement('beckon-inbox'), { desk, getTicket, theme: 'light', undoMs: 0 })
const lines: string[] = []
const say = (line: string) => {
  lines.push(line)
  said.textContent = lines.join(', ')
}
one.addEventListener('beckon-answered', ({ detail }) => say(`request: ${detail.response}`))
all.addEventListener('beckon-answered', ({ detail }) => say(`inbox: ${detail.response}`))
document.getElementById('app')?.append(said, one, all)

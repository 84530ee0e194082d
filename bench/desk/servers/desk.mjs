// A desk with one session, one turn and as many open asks as it is told.
import { createDesk } from '@beckon/desk'

const asks = Number(process.argv[2] ?? 1)
const desk = createDesk()
const { socketUrl } = await desk.listen()
// One session and one turn for each call, as servers have it; the first one is watched.
for (let index = 0; index < asks; index++) {
  const session = await desk.session(`s${index}`, { title: 'Bench', server: 'bench' })
  const turn = await session.startTurn()
  const question = /** @type {const} */ ({ id: 'q', kind: 'text', message: 'Say something' })
  turn.ask({ id: `r${index}`, message: 'Bench', questions: [question] }).catch(() => {})
}
await new Promise(resolve => setTimeout(resolve, 100))
process.send?.({ url: socketUrl })
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))

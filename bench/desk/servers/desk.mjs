// A desk with as many open asks as it is told: in a session each, or all in one.
import { createDesk } from '@beckon/desk'

const asks = Number(process.argv[2] ?? 1)
const desk = createDesk()
const { socketUrl } = await desk.listen()
const isOne = process.argv[3] === 'one'
const start = async (/** @type {number} */ index) =>
  (await desk.session(`s${index}`, { title: 'Bench', server: 'bench' })).startTurn()
const first = await start(0)
// One session and one turn for each call, as servers have it; the first one is watched.
for (let index = 0; index < asks; index++) {
  const turn = isOne || index === 0 ? first : await start(index)
  const question = /** @type {const} */ ({ id: 'q', kind: 'text', message: 'Say something' })
  turn.ask({ id: `r${index}`, message: 'Bench', questions: [question] }).catch(() => {})
}
// Changes come one after the other: with this one all of them are in.
await desk.session('last')
process.send?.({ url: socketUrl })
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))

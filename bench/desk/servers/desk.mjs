// A node on the store at the URL that is given, or in memory.
//   node desk.mjs '{"url": "postgres://...", "wait": "hold"}'
import { openFor } from '../../../faults/open-store.mjs'
import { answerCommands } from '../../commands.mjs'
import { countedStore } from '../../durable/operations/count-operations.mjs'
import { Cycles } from '../load/cycles.mjs'
import { openNode } from '../node/node.mjs'

const { url, wait, isCounted = false } = JSON.parse(process.argv[2] ?? '{}')
const opened = url === '' ? undefined : await openFor(url)
const counted = isCounted && opened ? countedStore(opened) : undefined
const node = await openNode({ store: counted?.store ?? opened, wait })

/** @type {string[]} */
let people = []
let next = 0
const cycles = new Cycles(async () => {
  const { action } = await node.ask(people[next++ % people.length] ?? '')
  if (action !== 'accept') throw new Error(`The ask ended otherwise: ${action}`)
})

answerCommands({
  begin(/** @type {{ atOnce: number, people: string[] }} */ options) {
    people = options.people
    return cycles.begin(options.atOnce)
  },
  mark: () => cycles.mark(),
  count: () => ({ count: cycles.count }),
  take: () => cycles.take(),
  stop: () => cycles.stop(),
  /** Asks so often, and resolves when all of that is in the store. */
  async leave(/** @type {{ count: number, person: string }} */ { count, person }) {
    for (let index = 0; index < count; index++) node.ask(person).catch(() => {})
    await counted?.quiet()
  },
  /** Resolves when nothing is on its way to the store or from it. */
  quiet: () => counted?.quiet(),
  /** Puts a request that anyone may answer. */
  async put(/** @type {{ session: string, request: { message: string } }} */ { session, request }) {
    const turn = await (await node.desk.session(session)).startTurn()
    turn.ask(request).catch(() => {})
  },
})
process.send?.({ url: node.url })

import { createDesk } from '@beckon/desk'
import { countedStore } from '../../durable/operations/count-operations.mjs'
import { access } from '../node/node.mjs'
import { question } from './question.mjs'

/**
 * Puts open asks into a store, number `n` for person `p<n % people>`, as if a desk had put them there.
 * @typedef {(store: import('beckon/store').Store, count: number, options: { people: number }) => Promise<void>} Fill
 */

const atOnce = 200

/** Through a desk, one by one, which a million is too many for. @type {Fill} */
export async function fillThroughDesk(store, count, { people }) {
  const counted = countedStore(store)
  const desk = createDesk({ store: counted.store, access: access() })
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        const number = next++
        const turn = await (await desk.session(`f${number}`, { title: 'Deploys', server: 'shop' })).startTurn()
        turn.ask({ question }, { audience: { principals: [`p${number % people}`] } }).catch(() => {})
      }
    }),
  )
  await counted.quiet()
  await desk.close()
}

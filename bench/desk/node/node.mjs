import { bearerAccess, createDesk } from '@beckon/desk'
import { createServer } from 'beckon'
import { question } from '../load/question.mjs'

/** @typedef {import('beckon/store').Store} Store */

/** Whoever says their name is let in. */
export const access = () => bearerAccess({ tokens: name => ({ principal: name }) })

/**
 * A desk, and at /mcp a server whose tool asks there whoever is named in a header.
 * @param {{ store?: Store | undefined, wait?: 'hold' | number }} options
 */
export async function openNode({ store, wait = 'hold' }) {
  const desk = createDesk({ store, access: access() })
  const identify = (/** @type {Request} */ { headers }) => headers.get('x-person') ?? undefined
  const server = createServer({ name: 'shop', version: '1.0.0', store, desk, wait, identify })
  server.tool('deploy', {}, async (_input, ctx) => ctx.text((await ctx.confirm(question)) ? 'deployed' : 'left alone'))
  const { url } = await desk.listen({
    beside(incoming, outgoing) {
      if (incoming.url !== '/mcp') return false
      server.node(incoming, outgoing)
      return true
    },
  })
  let asked = 0
  return {
    desk,
    url,
    /**
     * Asks someone, in a session of its own, as servers do, and gives the outcome.
     * @param {string} person
     */
    async ask(person) {
      const session = await desk.session(`${process.pid}-${asked++}`, { title: 'Deploys', server: 'shop' })
      const turn = await session.startTurn()
      return turn.ask({ question }, { audience: { principals: [person] } })
    },
    async close() {
      await server.close()
      await desk.close()
    },
  }
}

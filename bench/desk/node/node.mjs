import { bearerAccess, createDesk } from '@beckon/desk'
import { createServer } from 'beckon'
import { question } from '../load/question.mjs'

/** @typedef {import('beckon/store').Store} Store */

const dayMs = 24 * 60 * 60 * 1000

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
     * Asks someone, as servers do, and gives the outcome.
     * @param {string} person
     */
    async ask(person) {
      const request = { id: `${process.pid}-${asked++}`, message: question }
      const policy = { audience: { principals: [person] } }
      const opened = await desk.open({ server: 'shop', title: 'Deploys' }, request, {
        policy,
        expiresAt: Date.now() + dayMs,
      })
      return opened.outcome()
    },
    async close() {
      await server.close()
      await desk.close()
    },
  }
}

import { createServer } from 'beckon'
import { request } from './request.mjs'

/** @typedef {import('./contender.mjs').Contender} Contender */

/**
 * A tool that asks, in rounds: the whole of a server but for the socket.
 * @param {import('beckon/store').Store} store
 * @returns {Contender}
 */
export function beckon(store) {
  const server = createServer({ name: 'bench', version: '1', store })
  server.tool('ask', {}, async (_, ctx) =>
    ctx.text(`${await ctx.elicit({ question: 'Which color?', schema: ['red', 'green'] })}`),
  )
  const call = { name: 'ask', arguments: {} }
  return {
    async cycle() {
      const { inputRequests, requestState } = await request(server, 'tools/call', call)
      const [id] = Object.keys(inputRequests)
      const inputResponses = { [`${id}`]: { action: 'accept', content: { value: 'green' } } }
      const { content } = await request(server, 'tools/call', { ...call, requestState, inputResponses })
      if (content[0].text !== 'green') throw new Error(`The call ended with ${JSON.stringify(content)}`)
    },
    close: () => server.close(),
  }
}

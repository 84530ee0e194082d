import { createServer } from 'beckon'
import { request } from './request.mjs'

/** @typedef {import('./contender.mjs').Contender} Contender */

/**
 * A tool that runs as a task: its ask is in the store until it is answered.
 * @param {import('beckon/store').Store} store
 * @returns {Contender}
 */
export function beckonTasks(store) {
  const server = createServer({ name: 'bench', version: '1', store })
  server.tool('ask', { task: 'required' }, async (_, ctx) =>
    ctx.text(`${await ctx.elicit({ question: 'Which color?', schema: ['red', 'green'] })}`),
  )
  return {
    async cycle() {
      const { taskId } = await request(server, 'tools/call', { name: 'ask', arguments: {} })
      for (;;) {
        const { status, inputRequests = {} } = await request(server, 'tasks/get', { taskId })
        if (status === 'completed') return
        const answers = Object.keys(inputRequests).map(id => [id, { action: 'accept', content: { value: 'green' } }])
        if (answers.length > 0)
          await request(server, 'tasks/update', { taskId, inputResponses: Object.fromEntries(answers) })
      }
    },
    close: () => server.close(),
  }
}

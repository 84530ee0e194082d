// One caller makes one tool call after another, each of which is a task: it looks how that stands, answers what it asks, and
// looks again until there is a result.

import { Connection } from '../../wires/load/connection.mjs'

/** @typedef {import('../../wires/load/callers.mjs').Caller} Caller */

const revision = '2026-07-28'
const base = `content-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: ${revision}\r\n`
const _meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { form: {} },
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
}
let ids = 0

/**
 * @param {string} url
 * @param {string} tool one that is a task
 * @returns {Promise<Caller>}
 */
export async function tasksCaller(url, tool) {
  const connection = new Connection(url)

  /**
   * @param {string} method
   * @param {string} name of what it is about
   * @param {Record<string, unknown>} params
   */
  async function send(method, name, params) {
    const headers = `${base}mcp-method: ${method}\r\nmcp-name: ${name}\r\n`
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++ids, method, params: { ...params, _meta } })
    const { message } = await connection.post(headers, body)
    if (message?.result === undefined) throw new Error(`No result: ${JSON.stringify(message)}`)
    return message.result
  }

  /**
   * @param {string} taskId
   * @param {string} status
   */
  async function lookFor(taskId, status) {
    for (;;) {
      const task = await send('tasks/get', taskId, { taskId })
      if (task.status === status) return task
      if (task.status !== 'working') throw new Error(`Not ${status}: ${JSON.stringify(task)}`)
    }
  }

  return {
    async call(name) {
      const { taskId } = await send('tools/call', tool, { name: tool, arguments: { topic: 'names' } })
      const { inputRequests } = await lookFor(taskId, 'input_required')
      const answers = Object.keys(inputRequests).map(id => [id, { action: 'accept', content: { name } }])
      await send('tasks/update', taskId, { taskId, inputResponses: Object.fromEntries(answers) })
      const { result } = await lookFor(taskId, 'completed')
      if (result?.content?.[0]?.text !== `hello ${name}`) throw new Error(`Wrong result: ${JSON.stringify(result)}`)
    },
    close: () => connection.close(),
  }
}

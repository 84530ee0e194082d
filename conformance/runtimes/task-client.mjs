// A client of the tasks extension, which the official one has not: it calls a tool, looks after its task, and answers what that asks.
import assert from 'node:assert/strict'

const prefix = 'io.modelcontextprotocol/'
const _meta = {
  [`${prefix}protocolVersion`]: '2026-07-28',
  [`${prefix}clientInfo`]: { name: 'runtimes', version: '1.0.0' },
  [`${prefix}clientCapabilities`]: {
    elicitation: { form: {}, url: {} },
    extensions: { [`${prefix}tasks`]: {} },
  },
}
const pollMs = 50
/** A process that has died is noticed after a while by the one that goes on with its calls. */
const endsWithinMs = 90_000

/** @typedef {import('./stories.mjs').Asked} Asked */
/**
 * @param {() => string} url where the server is at the moment
 * @param {(asked: Asked) => Promise<object>} answer
 * @returns {(tool: string) => Promise<string>}
 */
export function taskClient(url, answer) {
  let lastId = 0

  /**
   * @param {string} method
   * @param {string} name what the request is about
   * @param {Record<string, unknown>} params
   */
  async function request(method, name, params) {
    const id = ++lastId
    const response = await fetch(url(), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        'Mcp-Name': name,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
    })
    const { result, error } = await response.json()
    assert.equal(error, undefined, `${method}: ${JSON.stringify(error)}`)
    return result
  }

  return async tool => {
    const { taskId, resultType } = await request('tools/call', tool, { name: tool, arguments: {} })
    assert.equal(resultType, 'task')
    const until = Date.now() + endsWithinMs
    const answered = new Set()
    while (Date.now() < until) {
      const { status, inputRequests = {}, result } = await request('tasks/get', taskId, { taskId })
      if (status === 'completed') return result.content[0].text
      assert.ok(['working', 'input_required'].includes(status), `The task is ${status}.`)
      for (const [key, { params }] of Object.entries(inputRequests)) {
        if (answered.has(key)) continue
        const inputResponses = { [key]: await answer(params) }
        await request('tasks/update', taskId, { taskId, inputResponses })
        answered.add(key)
      }
      await new Promise(resolve => setTimeout(resolve, pollMs))
    }
    assert.fail(`The task of ${tool} did not end within ${endsWithinMs} ms.`)
  }
}

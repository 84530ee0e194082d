// A server in this process, asked as a client of 2026-07-28 would over HTTP, without a socket between.
const prefix = 'io.modelcontextprotocol/'

/**
 * @typedef {object} Rpc
 * @property {Record<string, any>} [result]
 * @property {{ code: number, message: string }} [error]
 */

/**
 * @param {import('beckon').BeckonServer} server
 * @param {string} user
 * @param {string} url
 */
export function callerOf(server, user, url = 'https://shop.example/mcp') {
  return {
    /**
     * @param {string} method
     * @param {Record<string, unknown>} params
     * @returns {Promise<{ status: number, text: string }>}
     */
    async send(method, params) {
      const _meta = {
        [`${prefix}protocolVersion`]: '2026-07-28',
        [`${prefix}clientCapabilities`]: { elicitation: { form: {}, url: {} } },
      }
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': String(params.name ?? params.taskId ?? ''),
        'x-user': user,
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })
      const response = await server.fetch(new Request(url, { method: 'POST', headers, body }))
      return { status: response.status, text: await response.text() }
    },
    /**
     * @param {string} method
     * @param {Record<string, unknown>} params
     * @returns {Promise<Record<string, any>>}
     */
    async result(method, params) {
      const { text } = await this.send(method, params)
      /** @type {Rpc} */
      const { result } = JSON.parse(/^data: ?(.+)$/m.exec(text)?.[1] ?? text)
      if (result === undefined) throw new Error(text)
      return result
    },
    /**
     * A call that asks, up to its first question.
     * @param {string} name
     * @param {Record<string, unknown>} [args]
     */
    async asked(name, args = {}) {
      const call = { name, arguments: args }
      const { requestState, inputRequests } = await this.result('tools/call', call)
      const [id = '', request] = Object.entries(inputRequests ?? {})[0] ?? []
      /** @param {unknown} answer */
      const answered = answer => ({ ...call, requestState, inputResponses: { [id]: answer } })
      return { id, params: /** @type {any} */ (request)?.params, state: String(requestState), answered }
    },
  }
}

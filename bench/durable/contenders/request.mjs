const revision = '2026-07-28'

/**
 * Sends a request as a client over HTTP would, but for the socket.
 * @param {import('beckon').BeckonServer} server
 * @param {string} method
 * @param {{ name?: string, taskId?: string, [key: string]: unknown }} params
 */
export async function request(server, method, params) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {
      elicitation: { form: {} },
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
  }
  const response = await server.fetch(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: {
        host: '127.0.0.1',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        'mcp-method': method,
        'mcp-name': params.name ?? params.taskId ?? '',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    }),
  )
  const { result, error } = JSON.parse(await response.text())
  if (error !== undefined) throw new Error(error.message)
  return result
}

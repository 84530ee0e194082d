const prefix = 'io.modelcontextprotocol/'

/** A `tools/call` of 2026-07-28 from a client that opens pages, or declares what it is told. */
export function modernCall(
  name: string,
  { headers = {}, elicitation = { url: {} } }: { headers?: Record<string, string>; elicitation?: object } = {},
): Request {
  const _meta = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: { elicitation } }
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, _meta } }),
  })
}

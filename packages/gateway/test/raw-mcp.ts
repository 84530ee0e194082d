// MCP of 2026-07-28 by hand: one request, one reply, and nothing that a client would do by itself.

export type Reply = { result?: Record<string, unknown>; error?: { code: number; message: string } }

interface Options {
  capabilities?: object
  meta?: object
}

export async function mcp(url: string, ...request: [string, Record<string, unknown>, Options?]): Promise<Reply> {
  return JSON.parse(await mcpText(url, ...request))
}

/** The whole reply, events and all. */
export async function mcpText(
  url: string,
  method: string,
  params: Record<string, unknown>,
  { capabilities = {}, meta }: Options = {},
): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...('name' in params && { 'mcp-name': String(params.name) }),
      ...('taskId' in params && { 'mcp-name': String(params.taskId) }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          ...meta,
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
        },
      },
    }),
  })
  return response.text()
}

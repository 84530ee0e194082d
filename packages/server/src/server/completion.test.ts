import { expect, it } from 'vitest'
import { createServer } from './create-server.js'

const prefix = 'io.modelcontextprotocol/'

it.each(['constructor', 'toString', '__proto__', '__defineGetter__', 'hasOwnProperty'])(
  'proposes nothing for an argument that only every object has: %s',
  async name => {
    const server = createServer({ name: 's', version: '1' })
    server.resource('notes://{id}', { name: 'notes', complete: { id: () => ['one'] } }, ({ uri }) => uri)
    server.prompt('greet', { args: { who: { complete: () => ['ada'] } } }, () => 'hello')
    const complete = async (ref: object, argument: string) => {
      const _meta = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: {} }
      const params = { ref, argument: { name: argument, value: 'a' }, _meta }
      const response = await server.fetch(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'completion/complete',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'completion/complete', params }),
        }),
      )
      return JSON.parse((await response.text()).replace(/^[^{]*/, '')).result?.completion.values
    }
    const template = { type: 'ref/resource', uri: 'notes://{id}' }
    const prompt = { type: 'ref/prompt', name: 'greet' }
    expect(await complete(template, name)).toEqual([])
    expect(await complete(prompt, name)).toEqual([])
    expect(await complete(template, 'id')).toEqual(['one'])
    expect(await complete(prompt, 'who')).toEqual(['ada'])
    await server.close()
  },
)

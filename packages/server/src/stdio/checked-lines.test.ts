import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { createServer } from '../server/create-server.js'
import { checkedLines } from './checked-lines.js'

/** A server on lines, opened by a client of 2025, and what it writes to a line and to the ping behind it. */
function serve() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const server = createServer({ name: 's', version: '1.0.0', onError() {} })
  const serving = server.stdio({ transport: new StdioServerTransport(checkedLines(input, output), output) })
  onTestFinished(() => serving.close())
  const lines: string[] = []
  output.on('data', chunk => lines.push(...String(chunk).split('\n').filter(Boolean)))
  const clientInfo = { name: 'c', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\r\n`)
  return {
    async answersTo(...pieces: (string | Buffer)[]): Promise<unknown[]> {
      await expect.poll(() => lines.length, { timeout: 20_000 }).toBeGreaterThan(0)
      lines.length = 0
      for (const piece of pieces) input.write(piece)
      input.write('\n{"jsonrpc":"2.0","id":"after","method":"ping"}\n')
      await expect.poll(() => lines.join(), { timeout: 20_000 }).toContain('"after"')
      return lines.map(text => JSON.parse(text))
    },
  }
}

const pong = { jsonrpc: '2.0', id: 'after', result: {} }
const invalid = (id?: unknown) => ({ ...(id !== undefined && { id }), error: { code: -32600 } })

// JSON-RPC 2.0, 5: a request is always answered, also one that is not well-formed; a notification and a response never are.
it.each([
  ['what is no JSON', 'not json', [{ error: { code: -32700 } }]],
  ['half a message', '{"jsonrpc":"2.0","id":1,"method":', [{ error: { code: -32700 } }]],
  ['parameters that are a list', '{"jsonrpc":"2.0","id":2,"method":"ping","params":[]}', [invalid(2)]],
  ['parameters that are null', '{"jsonrpc":"2.0","id":"x","method":"ping","params":null}', [invalid('x')]],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', [invalid()]],
  ['a batch', '[{"jsonrpc":"2.0","id":3,"method":"ping"}]', [invalid()]],
  ['nothing', '', []],
  ['a notification that is not well-formed', '{"jsonrpc":"2.0","method":"notifications/initialized","params":[]}', []],
  ['a response that is not well-formed', '{"jsonrpc":"2.0","id":4,"error":{"code":"x"}}', []],
  [
    'bytes that are no text, in a request',
    Buffer.from('7b226a736f6e727063223a22322e30222c226964223a352c226d6574686f64223a2270ff227d', 'hex'),
    [{ id: 5, error: { code: -32601 } }],
  ],
])('answers %s, and what comes behind it', async (_, line, answers) => {
  const { answersTo } = serve()
  const said = await answersTo(line)
  expect(said).toMatchObject([...answers, pong])
  for (const answer of said) expect(answer).not.toHaveProperty('id', null)
})

it('takes messages in pieces, and several at once', async () => {
  const { answersTo } = serve()
  const pieces = ['{"jsonrpc":"2.0",', '"id":1,"method":"pi', 'ng"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}']
  expect(await answersTo(...pieces)).toMatchObject([{ id: 1 }, { id: 2 }, pong])
})

it('gives back the input when the transport is done with it', async () => {
  const input = new PassThrough()
  const lines = checkedLines(input, new PassThrough())
  const transport = new StdioServerTransport(lines, new PassThrough())
  await transport.start()
  expect(input.isPaused()).toBe(false)
  await transport.close()
  expect(input.isPaused()).toBe(true)
  input.write('x'.repeat(20 * 1024 * 1024))
  expect(lines.readableLength).toBe(0)
})

it.each([
  ['ends', (input: PassThrough) => input.end()],
  ['is closed', (input: PassThrough) => input.destroy()],
  ['has a line without an end', (input: PassThrough) => input.write('x'.repeat(12 * 1024 * 1024))],
])('ends the connection when its input %s', async (_, end) => {
  const input = new PassThrough()
  const transport = new StdioServerTransport(checkedLines(input, new PassThrough()), new PassThrough())
  const closed = new Promise<void>(resolve => {
    transport.onclose = resolve
  })
  await transport.start()
  end(input)
  await closed
})

it('does not read on while its answers are not read', async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 10 })]
  const lines = checkedLines(input, output)
  lines.resume()
  for (let nth = 0; nth < 1_000; nth++) input.write(`${'x'.repeat(1_000)}\n`)
  await new Promise(resolve => setImmediate(resolve))
  expect(output.readableLength).toBeLessThan(10_000)
  output.resume()
  input.end()
  await once(lines, 'end')
})

import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { eventually } from '../eventually.js'
import { Home, minuteMs } from './home.js'

const home = new Home()

describe('the gate of a Unix socket', () => {
  function say(path: string, ...lines: (string | object)[]) {
    const socket = connect(path)
    socket.on('error', () => {})
    const answers: { id: unknown; result?: unknown; error?: { code: number }; method?: string }[] = []
    createInterface(socket)
      .on('line', line => answers.push(JSON.parse(line)))
      .on('error', () => {})
    const closed = new Promise(resolve => socket.on('close', resolve))
    for (const line of lines) socket.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
    return { socket, answers, closed }
  }
  const bindLine = (code: unknown) => ({ jsonrpc: '2.0', id: 'b', method: 'tesseron/bind', params: { code } })

  it('is for this user alone', async () => {
    const { address } = await home.listen({ transport: 'uds' })
    const { path } = address as { path: string }
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
  })

  it('leaves nothing behind', async () => {
    const listening = await home.listen({ transport: 'uds' })
    const { path } = listening.address as { path: string }
    await home.close(listening)
    await expect(stat(dirname(path))).rejects.toThrow('ENOENT')
  })

  it.each([
    ['a wrong code', bindLine('AAAA-AA'), { id: 'b', code: -32009 }],
    ['an odd code', bindLine('nonsense'), { id: 'b', code: -32602 }],
    ['no code', bindLine(undefined), { id: 'b', code: -32602 }],
    [
      'another request first',
      { jsonrpc: '2.0', id: 'x', method: 'actions/invoke', params: {} },
      { id: 'x', code: -32600 },
    ],
    ['no request', { jsonrpc: '2.0', method: 'tesseron/bind', params: {} }, { id: null, code: -32600 }],
    ['no JSON', 'hello', { id: null, code: -32600 }],
  ])('refuses %s, and hangs up', async (_what, line, { id, code }) => {
    const { address } = await home.listen({ transport: 'uds' })
    const { answers, closed } = say((address as { path: string }).path, line, line)
    await closed
    expect(answers).toMatchObject([{ id, error: { code } }])
  })

  it('refuses a second gateway, and everyone after five wrong codes', async () => {
    const { address, claimCode } = await home.listen({ transport: 'uds' })
    const { path } = address as { path: string }
    for (let i = 0; i < 5; i++) await say(path, bindLine('AAAA-AA')).closed
    const locked = say(path, bindLine(claimCode))
    await locked.closed
    expect(locked.answers).toMatchObject([{ error: { code: -32009 } }])
    home.clock.advance(minuteMs)
    const first = say(path, bindLine(claimCode))
    await eventually(() => expect(first.answers).toMatchObject([{ id: 'b', result: {} }, { method: 'tesseron/hello' }]))
    const second = say(path, bindLine(claimCode))
    await second.closed
    expect(second.answers).toMatchObject([{ error: { code: -32009 } }])
    first.socket.destroy()
  })

  it('ends who sends a line without an end', async () => {
    const { address, claimCode } = await home.listen({ transport: 'uds' })
    const { socket, closed } = say((address as { path: string }).path, bindLine(claimCode))
    socket.write('x'.repeat(9 * 1024 * 1024))
    await closed
  })
})

import { once } from 'node:events'
import type { Dialect } from '@beckon/core/live'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { questions, type Served, serveTurn, text } from '../../test/live-served.js'

let desk: Served
let dialect: Dialect

afterEach(() => desk.close())

/** A desk with an ask, someone who behaves, and someone who may not. */
async function serve(limits?: Parameters<typeof serveTurn>[0]): Promise<{ good: LiveClient; bad: LiveClient }> {
  desk = await serveTurn(limits)
  await desk.ask({ id: 'r', message: 'Order', questions })
  const [good, bad] = [await desk.connect(dialect, { as: 'good' }), await desk.connect(dialect, { as: 'bad' })]
  await good.subscribe()
  await bad.subscribe()
  return { good, bad }
}

/** The state is as it was, and others are served. */
async function isUnharmed(good: LiveClient): Promise<void> {
  const before = good.confirmed()
  expect(await good.subscribe()).toEqual(before)
  expect(await good.reasonFor(draft('name', text('Ada')))).toBeUndefined()
  expect(good.rejections).toEqual([])
}

const draft = (questionId: string, answer: unknown) => ({
  type: 'inputAnswerChanged',
  requestId: 'r',
  questionId,
  answer,
})

/** Tells subscribers a lot, until one of the two does not keep up; gives how often. */
async function floodUntilDropped(good: LiveClient): Promise<number> {
  const long = 'x'.repeat(200 * 1024)
  let told = 0
  for (; desk.live.connections === 2; told++) {
    await desk.happen({ type: 'drafted', ask: 'r', question: 'name', answer: text(`${told}${long}`) })
    await good.ping()
  }
  return told
}

describe.each(['0.3', '1.0'] as const)('in the %s dialect', spoken => {
  beforeEach(() => {
    dialect = spoken
  })

  describe('a frame', () => {
    it.each([
      ['that is no JSON', '{"jsonrpc":', -32700],
      ['that is empty', '', -32700],
      ['that is a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
      ['that is no object', '"ping"', -32600],
      ['of another JSON-RPC', '{"id":9000,"method":"ping"}', -32600],
      ['without a method', '{"jsonrpc":"2.0","id":9000}', -32600],
      ['with params in a list', '{"jsonrpc":"2.0","id":9000,"method":"ping","params":[1]}', -32602],
      ['with an id that is none', '{"jsonrpc":"2.0","id":{},"method":"ping","params":{}}', -32600],
      ['with a number that there is not', '{"jsonrpc":"2.0","id":9000,"method":"ping","params":{"a":1e400}}', -32600],
      ['nested deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, -32600],
    ])('%s is answered with an error', async (_, frame, code) => {
      const { good, bad } = await serve()
      bad.send(frame)
      await bad.until(() => bad.strays.length > 0)
      expect(bad.strays).toMatchObject([{ error: { code } }])
      await bad.ping()
      await isUnharmed(good)
    })

    it('that is binary is answered with an error', async () => {
      const { good, bad } = await serve()
      bad.socket?.send(Buffer.from('{"jsonrpc":"2.0","id":9000,"method":"ping"}'), { binary: true })
      await bad.until(() => bad.strays.length > 0)
      expect(bad.strays).toMatchObject([{ error: { code: -32700 } }])
      await isUnharmed(good)
    })

    it('that answers something is ignored', async () => {
      const { bad } = await serve()
      bad.send({ jsonrpc: '2.0', id: 1, result: {} })
      bad.send({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } })
      await bad.ping()
      expect(bad.strays).toEqual([])
    })

    it('of 10 MB closes the connection, and is never held', async () => {
      const { good, bad } = await serve()
      bad.send('x'.repeat(10 * 1024 * 1024))
      expect(await bad.closed).toEqual({ code: 1009 })
      await isUnharmed(good)
      expect(desk.live.connections).toBe(1)
    })

    it('just below the limit is taken', async () => {
      const { bad } = await serve()
      await bad.request('ping', { channel: 'ahp-root://', padding: 'x'.repeat(255 * 1024) })
      expect(await bad.reasonFor(draft('name', text('x'.repeat(60 * 1024))))).toBeUndefined()
    })

    it('of garbage after garbage closes the connection', async () => {
      const { good, bad } = await serve()
      for (let count = 0; count < 21; count++) bad.send('garbage')
      expect(await bad.closed).toEqual({ code: 1008 })
      await isUnharmed(good)
    })
  })

  describe('a message', () => {
    it.each(['nonsense', 'completions', '__proto__', 'constructor', 'toString'])(
      'for the method %s is refused',
      async method => {
        const { good, bad } = await serve()
        expect(await bad.failure(method, { channel: bad.chatChannel })).toMatchObject({ code: -32601 })
        bad.notify('nonsense', {})
        await isUnharmed(good)
      },
    )

    it.each([
      'ahp-chat:/nowhere',
      'ahp-session:/nowhere',
      'ahp-terminal:/1',
      'nonsense',
      '',
      null,
      7,
      'ahp-chat:/__proto__',
    ])('that sends an action to %j is ignored', async channel => {
      const { good, bad } = await serve()
      bad.notify('dispatchAction', { channel, clientSeq: 1, action: { type: `${bad.prefix}/truncated` } })
      await bad.ping()
      expect(bad.envelopes).toEqual([])
      await isUnharmed(good)
    })

    it.each([{ clientSeq: '1' }, {}, { clientSeq: 1.5 }])('that cannot be echoed is ignored: %j', async fields => {
      const { good, bad } = await serve()
      bad.notify('dispatchAction', { channel: bad.chatChannel, action: { type: `${bad.prefix}/truncated` }, ...fields })
      await bad.ping()
      expect(bad.envelopes).toEqual([])
      await isUnharmed(good)
    })

    it('that sends an action to the root is rejected', async () => {
      const { bad } = await serve()
      expect(await bad.reasonFor({ type: 'root/configChanged' }, 'ahp-root://')).toContain('cannot send')
    })

    it('with names that objects have anyway does nothing', async () => {
      const { good, bad } = await serve()
      bad.send(
        `{"jsonrpc":"2.0","method":"dispatchAction","params":{"channel":"${bad.chatChannel}","clientSeq":1,"action":{"type":"${bad.prefix}/inputCompleted","requestId":"r","response":"accept","answers":{"__proto__":{"state":"submitted"}}}}}`,
      )
      await bad.ping()
      expect(bad.rejections).toHaveLength(1)
      expect(Object.prototype).not.toHaveProperty('state')
      await isUnharmed(good)
    })
  })

  describe('too much', () => {
    it('of 1,000 drafts a second is rejected one by one, and accepted again a moment later', async () => {
      const { good, bad } = await serve()
      const sent = 1_000
      for (let count = 0; count < sent; count++) bad.dispatch(draft('name', text(`n${count}`)))
      await bad.until(() => bad.envelopes.length === sent)
      // Two were spent on the handshake.
      expect(bad.rejections).toHaveLength(sent - 398)
      expect(new Set(bad.rejections.map(({ rejectionReason }) => rejectionReason)).size).toBe(1)
      expect(await bad.failure('ping', {})).toMatchObject({ code: -32000 })
      expect(bad.mirrors.get(bad.chatChannel)?.pending).toEqual([])
      await good.ping()
      await isUnharmed(good)
      await desk.clock.advance(1_000)
      expect(await bad.reasonFor(draft('name', text('last')))).toBeUndefined()
      expect(bad.confirmed()).toEqual(await bad.subscribe())
    })

    it('for long closes the connection', async () => {
      const { good, bad } = await serve({ limits: { refusals: { perSecond: 1, burst: 50 } } })
      for (let count = 0; count < 500; count++) bad.dispatch(draft('name', text(`n${count}`)))
      expect(await bad.closed).toEqual({ code: 1008 })
      await good.ping()
      await isUnharmed(good)
    })

    it('for a socket that never reads ends its connection, and nobody else notices', async () => {
      const { good, bad } = await serve()
      const frozen = bad.socket
      frozen?.pause()
      // What the system's own socket buffers take, and 1 MiB beyond.
      expect(await floodUntilDropped(good)).toBeLessThan(100)
      await isUnharmed(good)
      bad.socket = undefined
      frozen?.terminate()
    })

    it('for a client that reads slowly closes behind what it got, and it comes back to the same state', async () => {
      const { good, bad } = await serve()
      const slow = bad.socket
      slow?.pause()
      await floodUntilDropped(good)
      slow?.resume()
      expect(await bad.closed).toEqual({ code: 4008 })
      await bad.reconnect()
      expect(bad.confirmed()).toEqual(good.confirmed())
      await good.reasonFor(draft('name', text('Ada')))
      await bad.ping()
      expect(bad.confirmed()).toEqual(good.confirmed())
    })

    it('of a snapshot is no reason to end a connection that reads it', async () => {
      const { good, bad } = await serve({ limits: { maxBufferedBytes: 1_000 } })
      const long = text('x'.repeat(60 * 1024))
      for (const question of ['name', 'mail']) expect(await bad.reasonFor(draft(question, long))).toBeUndefined()
      const snapshot = bad.request('subscribe', { channel: bad.chatChannel })
      await good.reasonFor(draft('name', text('Ada')))
      await snapshot
      await bad.ping()
      expect(bad.socket?.readyState).toBe(1)
    })

    it('of requests that are not read stops being read, and goes on later', async () => {
      const { bad } = await serve({ limits: { maxBufferedBytes: 10_000 } })
      expect(await bad.reasonFor(draft('name', text('x'.repeat(60 * 1024))))).toBeUndefined()
      bad.socket?.pause()
      const answers = Array.from({ length: 100 }, () => bad.request('subscribe', { channel: bad.chatChannel }))
      bad.socket?.resume()
      expect(await Promise.all(answers)).toHaveLength(100)
    })
  })

  describe('a connection', () => {
    it('that shows no life is ended', async () => {
      const { good, bad } = await serve()
      await desk.clock.advance(30_000)
      await Promise.all([good.ping(), bad.ping()])
      const dead = bad.socket
      dead?.pause()
      await desk.clock.advance(30_000)
      await good.ping()
      await desk.clock.advance(30_000)
      await good.ping()
      expect(desk.live.connections).toBe(1)
      dead?.terminate()
    })

    it('is told when the desk closes, and none is taken after', async () => {
      const { good, bad } = await serve()
      const closing = desk.live.close()
      expect(await good.closed).toEqual({ code: 1001 })
      expect(await bad.closed).toEqual({ code: 1001 })
      await closing
      const late = await desk.dial(dialect)
      expect(await late.closed).toEqual({ code: 1001 })
    })

    it('that ends leaves nothing behind', async () => {
      const { bad } = await serve()
      const socket = bad.socket
      bad.dispatch(draft('name', text('Ada')))
      if (socket) {
        const closed = once(socket, 'close')
        socket.close()
        await closed
      }
      bad.socket = undefined
      const good = await desk.connect(dialect)
      await good.ping()
      expect(desk.live.connections).toBe(2)
    })
  })
})

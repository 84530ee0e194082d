import { describe, expect, it } from 'vitest'
import { errorCodes, RpcError, RpcPeer, type RpcPeerOptions } from './index.js'

/** A peer, and what it sends. */
function peer(options: Partial<RpcPeerOptions> = {}) {
  const sent: string[] = []
  return { sent, peer: new RpcPeer({ send: text => sent.push(text), ...options }) }
}

/** Two peers that hear each other. */
function pair(options: Partial<RpcPeerOptions>): [RpcPeer, RpcPeer] {
  const one: RpcPeer = new RpcPeer({ send: text => other.receive(text) })
  const other: RpcPeer = new RpcPeer({ send: text => one.receive(text), ...options })
  return [one, other]
}

describe('a request', () => {
  it('resolves to the result', async () => {
    const [one] = pair({ onRequest: (method, params, reply) => reply({ method, params }) })
    expect(await one.request('add', { a: 1 })).toEqual({ method: 'add', params: { a: 1 } })
  })

  it('rejects with the error that the other side made of what was thrown', async () => {
    const [one] = pair({
      onRequest: async () => Promise.reject(new Error('No.')),
      toRpcError: error => new RpcError(7, String(error), { why: 1 }),
    })
    await expect(one.request('add', {})).rejects.toMatchObject({ code: 7, message: 'Error: No.', data: { why: 1 } })
  })

  it('tells nothing of an error that nobody made one for the other side of', async () => {
    const [one] = pair({ onRequest: () => Promise.reject(new Error('secret')) })
    const known = { code: errorCodes.internalError, message: expect.not.stringContaining('secret') }
    await expect(one.request('add', {})).rejects.toMatchObject(known)
    const [other] = pair({ onRequest: () => Promise.reject(new RpcError(8, 'Known.')) })
    await expect(other.request('add', {})).rejects.toMatchObject({ code: 8, message: 'Known.' })
  })

  it('is refused where there are no methods', async () => {
    const [one] = pair({})
    await expect(one.request('add', {})).rejects.toMatchObject({ code: errorCodes.methodNotFound })
  })

  it('takes the first of two responses, and none that nobody waits for', async () => {
    const { peer: one, sent } = peer()
    one.receive('{"jsonrpc":"2.0","id":1,"result":0}')
    const waiting = one.request('a', {})
    one.receive('{"jsonrpc":"2.0","id":1,"result":1}')
    one.receive('{"jsonrpc":"2.0","id":1,"result":2}')
    one.receive('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"What?"}}')
    expect(await waiting).toBe(1)
    expect(sent).toHaveLength(1)
  })

  it('is read before what came behind it', async () => {
    const order: string[] = []
    const { peer: one } = peer({ onNotification: method => order.push(method) })
    const waiting = one.request('a', {}, { read: result => order.push(String(result)) })
    one.receive('{"jsonrpc":"2.0","id":1,"result":"result"}')
    one.receive('{"jsonrpc":"2.0","method":"notification"}')
    await waiting
    expect(order).toEqual(['result', 'notification'])
  })

  it('rejects when its result cannot be read', async () => {
    const { peer: one } = peer()
    const read = (): never => {
      throw new Error('Odd.')
    }
    const waiting = one.request('a', {}, { read })
    one.receive('{"jsonrpc":"2.0","id":1,"result":{}}')
    await expect(waiting).rejects.toThrow('Odd.')
  })

  it('is given up with its signal, before or after it was sent', async () => {
    const { peer: one, sent } = peer()
    const controller = new AbortController()
    const waiting = one.request('a', {}, { signal: controller.signal })
    controller.abort(new Error('Enough.'))
    one.receive('{"jsonrpc":"2.0","id":1,"result":{}}')
    await expect(waiting).rejects.toThrow('Enough.')
    await expect(one.request('b', {}, { signal: controller.signal })).rejects.toThrow('Enough.')
    expect(sent).toHaveLength(1)
  })
})

describe('a request of another connection', () => {
  it('passes for none of this one where ids begin elsewhere', async () => {
    const { peer: one } = peer({ idsAfter: 499 })
    const waiting = one.request('a', {})
    one.receive('{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"Gone."}}')
    one.receive('{"jsonrpc":"2.0","id":500,"result":"mine"}')
    expect(await waiting).toBe('mine')
  })

  it('is known by its id', async () => {
    const ids: unknown[] = []
    const { peer: one } = peer({ onRequest: (_method, _params, _reply, id) => void ids.push(id) })
    one.receive('{"jsonrpc":"2.0","id":"x","method":"a"}')
    expect(ids).toEqual(['x'])
  })
})

describe('an answer', () => {
  it('is sent once', async () => {
    const { peer: one, sent } = peer({
      onRequest(_method, _params, reply) {
        reply(1)
        reply(2)
        throw new Error('Too late.')
      },
    })
    one.receive('{"jsonrpc":"2.0","id":"x","method":"a"}')
    await Promise.resolve()
    expect(sent).toEqual(['{"jsonrpc":"2.0","id":"x","result":1}'])
  })

  it('is null where there is no result', async () => {
    const [one] = pair({ onRequest: (_method, _params, reply) => reply(undefined) })
    expect(await one.request('a', {})).toBeNull()
  })

  it('is an error when the result cannot be written as JSON', async () => {
    const [one] = pair({ onRequest: (_method, _params, reply) => reply(1n) })
    await expect(one.request('a', {})).rejects.toMatchObject({ code: errorCodes.internalError })
  })
})

describe('what is not a message', () => {
  it('is answered, and counted', () => {
    let count = 0
    const { peer: one, sent } = peer({ onInvalid: () => count++ })
    one.receive('nothing')
    one.receive('{"jsonrpc":"2.0","id":5}')
    expect(sent.map(text => JSON.parse(text))).toMatchObject([{ id: null }, { id: 5 }])
    expect(count).toBe(2)
  })
})

describe('a message that is too long', () => {
  const maxBytes = 100
  const long = 'x'.repeat(maxBytes)

  it('is not taken, counted in bytes', () => {
    const { peer: one, sent } = peer({ maxBytes })
    one.receive('{"jsonrpc":"2.0","method":"a"}'.padEnd(maxBytes))
    expect(sent).toEqual([])
    one.receive('{"jsonrpc":"2.0","method":"a"}'.padEnd(maxBytes + 1))
    one.receive(`{"jsonrpc":"2.0","method":"${'€'.repeat(30)}"}`)
    const error = { code: errorCodes.invalidRequest, message: 'The message is too long.' }
    expect(sent.map(text => JSON.parse(text))).toMatchObject([{ error }, { error }])
  })

  it('is not sent: a result becomes an error, a request fails, and a notification is left out', async () => {
    const toRpcError = (error: unknown) => new RpcError(5, String(error))
    const { peer: one, sent } = peer({ maxBytes, toRpcError, onRequest: (_method, _params, reply) => reply(long) })
    await expect(one.request('a', { long })).rejects.toThrow(
      'The request "a" is longer than a message may be, 100 bytes.',
    )
    one.notify('a', { long })
    one.receive('{"jsonrpc":"2.0","id":1,"method":"a"}')
    await Promise.resolve()
    expect(sent.map(text => JSON.parse(text))).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: 5, message: expect.stringContaining('The result is longer') } },
    ])
  })
})

describe('a message that is nested too deeply', () => {
  const deep = JSON.parse('['.repeat(100) + ']'.repeat(100))

  it('is neither taken nor sent', async () => {
    const [one] = pair({
      onRequest: (_method, _params, reply) => reply(deep),
      toRpcError: error => new RpcError(5, String(error)),
    })
    await expect(one.request('a', {})).rejects.toThrow('The result is nested too deeply.')
    await expect(one.request('a', { deep })).rejects.toThrow('The request "a" is nested too deeply.')
    const { peer: other, sent } = peer()
    other.notify('a', { deep })
    expect(sent).toEqual([])
    other.receive(JSON.stringify({ jsonrpc: '2.0', method: 'a', params: { deep } }))
    expect(JSON.parse(sent[0] ?? '')).toMatchObject({ error: { code: errorCodes.invalidRequest } })
  })

  it('is taken and sent where there is no limit', async () => {
    const maxDepth = Number.POSITIVE_INFINITY
    const one: RpcPeer = new RpcPeer({ send: text => other.receive(text), maxDepth })
    const onRequest: RpcPeerOptions['onRequest'] = (_method, params, reply) => reply(params)
    const other: RpcPeer = new RpcPeer({ send: text => one.receive(text), maxDepth, onRequest })
    expect(await one.request('a', { deep })).toEqual({ deep })
  })
})

describe('a peer that is closed', () => {
  it('rejects what waits and what comes after, and neither takes nor sends anything', async () => {
    let reply: (result: unknown) => void = () => {}
    const heard: string[] = []
    const { peer: one, sent } = peer({
      onRequest(_method, _params, given) {
        reply = given
      },
      onNotification: method => heard.push(method),
    })
    const waiting = one.request('a', {})
    one.receive('{"jsonrpc":"2.0","id":1,"method":"slow"}')
    expect(one.isOpen).toBe(true)
    one.close(new Error('Gone.'))
    one.close(new Error('Again.'))
    expect(one.isOpen).toBe(false)
    await expect(waiting).rejects.toThrow('Gone.')
    await expect(one.request('b', {})).rejects.toThrow('Gone.')
    one.notify('c', {})
    one.receive('{"jsonrpc":"2.0","method":"d"}')
    reply(1)
    expect(heard).toEqual([])
    expect(sent).toHaveLength(1)
  })
})

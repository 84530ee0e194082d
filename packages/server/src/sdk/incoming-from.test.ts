import type { ServerContext } from '@modelcontextprotocol/server'
import { describe, expect, it, vi } from 'vitest'
import type { Connected } from './connected-peer.js'
import { answerFrom, incomingFrom } from './incoming-from.js'

const aborter = new AbortController()

function contextOf(mcpReq: object): ServerContext {
  const parts = { id: 1, method: 'tools/call', requestState: () => undefined, signal: aborter.signal, ...mcpReq }
  // Only what a request brings along is needed here; the SDK's own contexts are in the tests of http and stdio.
  return { sessionId: 'theirs', mcpReq: parts } as unknown as ServerContext
}

const peer = (version: string): Connected => ({
  getClientCapabilities: () => ({ elicitation: { form: {} }, sampling: {} }),
  getClientVersion: () => ({ name: 'old', version: '1' }),
  getNegotiatedProtocolVersion: () => version,
})

describe('a request in a handler of the SDK', () => {
  it('is of the version that was negotiated', () => {
    const incoming = incomingFrom(contextOf({}), { name: 'a', _meta: {} }, { server: peer('2025-06-18') })
    expect(incoming).toMatchObject({
      revision: '2025-06-18',
      client: { name: 'old' },
      sessionId: 'theirs',
      principal: undefined,
    })
    expect(incoming.capabilities.elicitation).toEqual({ form: {} })
    expect(incoming.params).toEqual({ name: 'a' })
  })

  it('cannot ask before 2025-06-18', () => {
    const incoming = incomingFrom(contextOf({}), {}, { server: peer('2025-03-26') })
    expect(incoming.revision).toBe('2025-06-18')
    expect(incoming.capabilities).toEqual({ sampling: {} })
  })

  it('brings its own capabilities on 2026-07-28, and cannot be sent to', () => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
      'io.modelcontextprotocol/clientInfo': { name: 'new', version: '2' },
    }
    const link = { principal: 'ada', sessionId: undefined }
    const incoming = incomingFrom(contextOf({ envelope, _meta: { progressToken: 5 } }), {}, { server: peer(''), link })
    expect(incoming).toMatchObject({
      revision: '2026-07-28',
      client: { name: 'new' },
      principal: 'ada',
      progressToken: 5,
    })
    expect(incoming).toMatchObject({
      sessionId: undefined,
      send: undefined,
      capabilities: { elicitation: { url: {} } },
    })
  })

  it('is of the version that was negotiated, also when it has keys of 2026-07-28 besides', () => {
    const envelope = {
      'io.modelcontextprotocol/logLevel': 'info',
      'io.modelcontextprotocol/clientInfo': { name: 'new', version: '2' },
    }
    const incoming = incomingFrom(contextOf({ envelope }), {}, { server: peer('2025-11-25') })
    expect(incoming).toMatchObject({ revision: '2025-11-25', client: { name: 'old' } })
    expect(incoming.capabilities.elicitation).toEqual({ form: {} })
    expect(incoming.send).toBeDefined()
  })

  it('is refused when its state is no string', async () => {
    const ctx = contextOf({ requestState: () => 5 })
    const answer = vi.fn()
    await expect(answerFrom(answer, ctx, { params: {}, server: peer('') })).rejects.toMatchObject({ code: -32602 })
    expect(answer).not.toHaveBeenCalled()
  })

  it('waits for a person as long as a timer can, or until that is withdrawn', async () => {
    const send = vi.fn(async () => 'whatever the client says')
    const incoming = incomingFrom(contextOf({ send }), {}, { server: peer('2025-11-25') })
    const answer = new Promise((answered, failed) => {
      const withdraw = incoming.send?.(
        'elicitation/create',
        { a: 1 },
        { timeoutMs: 2 ** 50, listener: { answered, failed } },
      )
      withdraw?.()
    })
    expect(await answer).toBe('whatever the client says')
    const request = { method: 'elicitation/create', params: { a: 1 } }
    const signal = expect.objectContaining({ aborted: true })
    expect(send).toHaveBeenCalledWith(request, expect.anything(), { signal, timeout: 2 ** 31 - 1 })
  })

  it('is left alone once it is answered', async () => {
    const notify = vi.fn(async () => {})
    const ctx = contextOf({ notify, log: notify, signal: aborter.signal })
    const connection = { server: peer('2025-11-25') }
    const [incoming] = await answerFrom(async seen => ({ seen, signal: seen.signal }), ctx, {
      params: {},
      ...connection,
    }).then(({ seen }) => [seen as ReturnType<typeof incomingFrom>])
    aborter.abort()
    incoming?.notify('notifications/progress', {})
    incoming?.log('error', 'late', undefined)
    expect(incoming?.signal.aborted).toBe(false)
    expect(notify).not.toHaveBeenCalled()
    const late = new Promise((answered, failed) => {
      incoming?.send?.('roots/list', {}, { timeoutMs: 1, listener: { answered, failed } })
    })
    await expect(late).rejects.toThrow('answered')
    const another = incomingFrom(ctx, {}, connection)
    expect(another.signal.aborted).toBe(true)
  })
})

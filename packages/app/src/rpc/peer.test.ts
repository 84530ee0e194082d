import { describe, expect, it } from 'vitest'
import { maxFrameBytes } from './frame-size.js'
import { Peer } from './peer.js'

function peer(requests: Record<string, () => unknown> = {}) {
  const sent: string[] = []
  const closed: number[] = []
  const channel = { send: (text: string) => sent.push(text), close: (code: number) => closed.push(code) }
  return { peer: new Peer(channel, { requests, notifications: {} }), sent, closed }
}

const read = (result: unknown) => result
const huge = 'x'.repeat(maxFrameBytes)

describe('a message that is longer than a frame', () => {
  it('is not taken', () => {
    const { peer: here, closed } = peer()
    here.receive(huge)
    expect(closed).toEqual([])
    here.receive(`${huge}x`)
    expect(closed).toEqual([1009])
  })

  it('is counted in bytes', () => {
    const { peer: here, closed } = peer()
    here.receive('€'.repeat(maxFrameBytes / 2))
    expect(closed).toEqual([1009])
  })

  it('is not sent: a result becomes an error, a request fails, and a notification is left out', async () => {
    const { peer: here, sent } = peer({ big: () => huge })
    here.receive('{"jsonrpc":"2.0","id":1,"method":"big"}')
    await expect(here.request('big', { huge }, { read })).rejects.toMatchObject({ number: -32005 })
    here.notify('big', { huge })
    expect(sent.map(text => JSON.parse(text))).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32005, message: expect.stringContaining('longer') } },
    ])
  })
})

describe('a peer', () => {
  it('says so when a result cannot be written as JSON', async () => {
    const { peer: here, sent } = peer({ big: () => 1n })
    here.receive('{"jsonrpc":"2.0","id":1,"method":"big"}')
    await Promise.resolve()
    await Promise.resolve()
    expect(JSON.parse(sent[0] ?? '')).toMatchObject({ id: 1, error: { code: -32005 } })
  })

  it('fails what waits when it ends, and whatever comes after', async () => {
    const { peer: here, sent } = peer()
    const waiting = here.request('a', {}, { read })
    here.end()
    here.end()
    await expect(waiting).rejects.toMatchObject({ number: -32010 })
    await expect(here.request('b', {}, { read })).rejects.toMatchObject({ number: -32010 })
    here.notify('c', {})
    here.receive('{"jsonrpc":"2.0","id":1,"method":"none"}')
    expect(sent).toHaveLength(1)
  })

  it('takes what cannot be read for a failed request', async () => {
    const { peer: here } = peer()
    const read = (): never => {
      throw new Error('Odd.')
    }
    const waiting = here.request('a', {}, { read })
    here.receive('{"jsonrpc":"2.0","id":1,"result":{}}')
    await expect(waiting).rejects.toThrow('Odd.')
  })
})

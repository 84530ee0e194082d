// Someone who clicks "Try it" in the inbox, as the page does it: by the live protocol.
import { WebSocket } from 'ws'

const channel = 'ahp-root://'

/** Clicks, and resolves with the session that the trial asks in. */
export function clickTryIt(socketUrl: string): Promise<string> {
  const socket = new WebSocket(socketUrl)
  const send = (id: number, method: string, params: object) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params: { channel, ...params } }))
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => {
      send(1, 'initialize', { protocolVersions: ['1.0.0'], clientId: 'someone', clientInfo: { name: 'someone' } })
      send(2, 'beckon/tryIt', {})
    })
    socket.on('message', data => {
      const { method, params, error } = JSON.parse(String(data))
      if (error) reject(new Error(error.message))
      if (method === 'beckon/tried' && params.kind === 'opened') resolve(params.session)
    })
  })
}

import { WebSocket } from 'ws'
import { maxFrameBytes } from '../protocol/channel.js'
import type { OpenSocket } from './link.js'

/** A socket of Node. */
export const openNodeSocket: OpenSocket = (url, protocol, { opened, received, closed }) => {
  const socket = new WebSocket(url, protocol, { maxPayload: maxFrameBytes, perMessageDeflate: false })
  socket.on('open', opened)
  socket.on('message', data => received(String(data)))
  socket.on('close', code => closed(code))
  // `close` follows.
  socket.on('error', () => {})
  return { send: text => socket.send(text), close: (code, reason) => socket.close(code, reason) }
}

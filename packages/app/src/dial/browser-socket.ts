import type { OpenSocket } from './link.js'

/** A socket of the browser. */
export const openBrowserSocket: OpenSocket = (url, protocol, { opened, received, closed }) => {
  const socket = new WebSocket(url, protocol)
  socket.addEventListener('open', opened)
  socket.addEventListener('message', ({ data }) => received(String(data)))
  socket.addEventListener('close', ({ code }) => closed(code))
  return {
    send: text => socket.send(text),
    // A page may close with 1000, or with a code from 3000 on.
    close: (code, reason) => socket.close(code === 1000 ? code : 3000 + (code % 1000), reason),
  }
}

// A bare `ws` broadcast: whatever comes in goes out to everyone, as bytes that were made once.
import { WebSocketServer } from 'ws'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
server.on('connection', socket => {
  socket.on('message', data => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(String(data))
    for (const client of server.clients) client.send(bytes, { binary: false })
  })
})
server.on('listening', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.send?.({ url: `ws://127.0.0.1:${port}/` })
})
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))

// A bare `ws` broadcast: whatever comes in goes out to everyone, as bytes that were made once.
import { WebSocketServer } from 'ws'
import { answerCommands } from '../../commands.mjs'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
server.on('connection', socket => {
  socket.on('message', data => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(String(data))
    for (const client of server.clients) client.send(bytes, { binary: false })
  })
})
answerCommands()
server.on('listening', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.({ url: `http://127.0.0.1:${address?.port}/` })
})

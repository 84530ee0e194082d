// Below the ports that systems give to outgoing connections, so that nobody takes a server's port while it is restarted.

import { once } from 'node:events'
import { connect, createServer } from 'node:net'

const lowest = 20_000
const highest = 32_000

/**
 * A port on 127.0.0.1 that nothing listens on.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await isFree(port)) return port
  }
}

/**
 * Whether a server takes connections on this port of 127.0.0.1.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export function isTaken(port) {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

/** @param {number} port */
async function isFree(port) {
  const server = createServer(socket => socket.destroy()).listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

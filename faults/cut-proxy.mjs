// A network that fails: stands between a process and its store, drops connections and lets bytes wait.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/**
 * @typedef {object} CutProxy
 * @property {number} port
 * @property {(ms: number) => Promise<void>} cut ends every connection and takes none for a while
 * @property {(ms: number) => Promise<void>} stall keeps connections open for a while, and lets nothing through
 * @property {() => void} close
 */

/**
 * @param {number} target a port on this machine
 * @returns {Promise<CutProxy>}
 */
export async function startCutProxy(target) {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  let isCut = false
  let isStalled = false
  const server = createServer(near => {
    if (isCut) return near.destroy()
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
      if (isStalled) socket.pause()
    }
    near.pipe(far)
    far.pipe(near)
    if (isStalled) for (const socket of [near, far]) socket.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  /** @param {number} ms */
  const pass = ms => new Promise(resolve => setTimeout(resolve, ms))
  return {
    port: address.port,
    async cut(ms) {
      isCut = true
      for (const socket of sockets) socket.destroy()
      await pass(ms)
      isCut = false
    },
    async stall(ms) {
      isStalled = true
      for (const socket of sockets) socket.pause()
      await pass(ms)
      isStalled = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

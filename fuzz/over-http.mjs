// Sends to a port of this machine what no client would, over connections that are kept, and reads what comes back as far as it
// has to be judged: of a stream, its first event.
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { Finding } from './driver.mjs'

/**
 * @typedef {object} Reply
 * @property {number} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string} text
 */

/**
 * @typedef {object} Sent
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {string | Uint8Array} [body]
 */

/** Who waits longer than this was forgotten. */
const forgottenMs = 20_000

/**
 * Somebody honest has connections of their own, each for one request: one that is kept may be closed by the server just when it is used
 * again, and what others sent on it is theirs.
 * @param {{ isKept: boolean }} options
 */
export function httpSender({ isKept }) {
  const agent = new Agent({ keepAlive: isKept, maxSockets: 64 })
  return {
    close: () => agent.destroy(),
    /**
     * @param {string} url
     * @param {Sent} sent
     * @returns {Promise<Reply | undefined>} undefined where the connection was cut, or nothing can be sent like that
     */
    send(url, { method = 'POST', headers = {}, body }) {
      return new Promise((resolve, reject) => {
        let sending
        try {
          sending = request(url, { method, headers, agent })
        } catch {
          // Node itself does not send it.
          return resolve(undefined)
        }
        const timer = setTimeout(() => {
          reject(new Finding(`nothing came back for ${method} ${url}: ${String(body).slice(0, 500)}`))
          sending.destroy()
        }, forgottenMs)
        sending.on('error', () => resolve(undefined))
        sending.on('close', () => clearTimeout(timer))
        sending.on('response', response => {
          let text = ''
          const done = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
          const isStream = String(response.headers['content-type']).startsWith('text/event-stream')
          response.setEncoding('utf8')
          response.on('data', chunk => {
            text += chunk
            if (isStream && /^data: ?.+\n/m.test(text)) {
              done()
              response.destroy()
            }
          })
          response.on('end', done)
          response.on('error', done)
          response.on('close', done)
          // A stream that somebody listens to says nothing until something happens.
          if (isStream && method === 'GET') {
            done()
            response.destroy()
          }
        })
        sending.end(body)
      })
    },
  }
}

/**
 * Bytes as they are, to a port; what came back once the other side has closed, or has said enough.
 * @param {number} port
 * @param {Uint8Array} bytes
 * @returns {Promise<string>}
 */
export function sendBytes(port, bytes) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const timer = setTimeout(() => {
      reject(
        new Finding(
          `a connection was left open after ${JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 500))}`,
        ),
      )
      socket.destroy()
    }, forgottenMs)
    socket.setEncoding('latin1')
    socket.on('data', chunk => {
      text += chunk
      if (text.includes('text/event-stream')) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(text)
    })
    socket.end(bytes)
  })
}

// One caller makes one call after another, and accepts what each asks.

import { answerTo, RoundsConnection } from '../../wires/load/callers.mjs'
import { Connection } from '../../wires/load/connection.mjs'

/** @typedef {{ call(): Promise<void>, close(): void }} Caller */

const tool = 'bench__clear'
const base = 'content-type: application/json\r\naccept: application/json, text/event-stream\r\n'
let ids = 0

/**
 * 2026-07-28, round by round.
 * @param {string} url
 * @returns {Promise<Caller>}
 */
export async function roundsCaller(url) {
  const connection = new RoundsConnection(url, tool)
  return {
    async call() {
      const asked = await connection.send({ arguments: {} })
      check(await connection.send({ arguments: {}, ...answerTo(asked, {}) }))
    },
    close: () => connection.close(),
  }
}

/**
 * 2025-11-25: one session; the ask comes on the stream of the call, its answer goes out on another connection.
 * @param {string} url
 * @returns {Promise<Caller>}
 */
export async function pushCaller(url) {
  const calls = new Connection(url)
  const replies = new Connection(url)
  const clientInfo = { name: 'bench', version: '1.0.0' }
  const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo }
  const opened = await calls.post(base, JSON.stringify({ jsonrpc: '2.0', id: ++ids, method: 'initialize', params }))
  const sessionId = /^mcp-session-id: *(\S+)/im.exec(opened.head)?.[1]
  const headers = `${base}mcp-protocol-version: 2025-11-25\r\nmcp-session-id: ${sessionId}\r\n`
  await calls.post(headers, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
  return {
    async call() {
      const call = { jsonrpc: '2.0', id: ++ids, method: 'tools/call', params: { name: tool, arguments: {} } }
      /** @type {Promise<unknown> | undefined} */
      let replied
      const { message } = await calls.post(headers, JSON.stringify(call), ({ method, id }) => {
        if (method !== 'elicitation/create') return
        const result = { action: 'accept', content: {} }
        replied = replies.post(headers, JSON.stringify({ jsonrpc: '2.0', id, result }))
      })
      await replied
      check(message)
    },
    close() {
      calls.close()
      replies.close()
    },
  }
}

/** @param {import('../../wires/load/connection.mjs').Message} message */
function check(message) {
  if (message?.result?.content?.[0]?.text !== 'cleared') throw new Error(`Wrong result: ${JSON.stringify(message)}`)
}

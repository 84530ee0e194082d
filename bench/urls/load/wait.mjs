// What people who were sent to a page cost while they are there, over HTTP, in a server of their own. Nothing here depends
// on how fast the machine is.

import { Connection } from '../../wires/load/connection.mjs'
import { startServer } from '../../wires/load/server-process.mjs'

/** @typedef {import('../../wires/load/server-process.mjs').ServerProcess} ServerProcess */

const atOnce = 50
const meta = 'io.modelcontextprotocol/'
const _meta = {
  [`${meta}protocolVersion`]: '2026-07-28',
  [`${meta}clientInfo`]: { name: 'bench', version: '1.0.0' },
  [`${meta}clientCapabilities`]: { elicitation: { url: {} } },
}

/**
 * The heap and the timers of each that is asked, and of each that has accepted and is waited for; without the records in
 * the store, which are here in the same heap.
 * @param {number} people
 * @param {'plain' | 'gated'} tool
 */
export async function waitFor(people, tool) {
  const file = new URL('../servers/waiting.mjs', import.meta.url)
  const server = await startServer(file, { args: [String(people + 200)], execArgv: ['--expose-gc'] })
  try {
    await accept(server, tool, await ask(server, tool, 200)) // so that nobody pays for the first use of anything
    const before = await server.tell('usage')
    const asked = await ask(server, tool, people)
    const whileAsked = await server.tell('usage')
    await accept(server, tool, asked)
    const whileAway = await server.tell('usage')
    const { bytes: bytesOfRecords } = await server.tell('records')
    return {
      bytesOfRecords,
      bytesAsked: (whileAsked.bytes - before.bytes) / people - bytesOfRecords,
      bytesAway: (whileAway.bytes - before.bytes) / people - bytesOfRecords,
      timersAway: whileAway.timers - before.timers,
    }
  } finally {
    server.stop()
  }
}

/**
 * Makes calls that send somebody to a page.
 * @param {ServerProcess} server
 * @param {string} tool
 * @param {number} calls
 * @returns {Promise<object[]>} what answers each of them
 */
function ask(server, tool, calls) {
  return spread(server, tool, Array(calls).fill({}), ({ inputRequests, requestState }) => ({
    requestState,
    inputResponses: Object.fromEntries(Object.keys(inputRequests).map(key => [key, { action: 'accept' }])),
  }))
}

/**
 * Accepts each of them. What comes back says to wait.
 * @param {ServerProcess} server
 * @param {string} tool
 * @param {object[]} answers
 */
async function accept(server, tool, answers) {
  await spread(server, tool, answers, ({ inputRequests }) => {
    if (inputRequests !== undefined) throw new Error('It was asked again.')
  })
}

/**
 * @template T
 * @param {ServerProcess} server
 * @param {string} tool
 * @param {object[]} requests
 * @param {(result: any) => T} read
 * @returns {Promise<T[]>}
 */
async function spread(server, tool, requests, read) {
  const headers = `content-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: ${tool}\r\n`
  const left = requests.map((params, id) => ({ params, id }))
  /** @type {T[]} */
  const results = []
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const connection = new Connection(server.url)
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const { params, id } = next
        const body = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, ...params, _meta } }
        const { message } = await connection.post(headers, JSON.stringify(body))
        if (message?.result?.resultType !== 'input_required') throw new Error(`Not waiting: ${JSON.stringify(message)}`)
        results.push(read(message.result))
      }
      connection.close()
    }),
  )
  return results
}

// One caller makes one tool call after another, answers every ask that a call makes, and checks the result.

import { Connection } from './connection.mjs'

/** @typedef {{ call(name: string): Promise<void>, close(): void }} Caller */
/** @typedef {import('./connection.mjs').Message} Message */

const base = 'content-type: application/json\r\naccept: application/json, text/event-stream\r\n'
const clientInfo = { name: 'bench', version: '1.0.0' }
const capabilities = { elicitation: { form: {} } }
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
}
let ids = 0

/** A `tools/call` of 2026-07-28, round by round. */
export class RoundsConnection {
  #connection
  #headers
  #tool

  /**
   * @param {string} url
   * @param {string} [tool]
   */
  constructor(url, tool = 'ask') {
    this.#connection = new Connection(url)
    this.#tool = tool
    this.#headers = `${base}mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: ${tool}\r\n`
  }

  /** @param {Record<string, unknown>} params */
  async send(params) {
    const body = { jsonrpc: '2.0', id: ++ids, method: 'tools/call', params: { name: this.#tool, ...params, _meta } }
    return (await this.#connection.post(this.#headers, JSON.stringify(body))).message
  }

  close() {
    this.#connection.close()
  }
}

/**
 * The parameters that answer what a round asked: everything with the same content.
 * @param {Message} asked
 * @param {Record<string, unknown>} content
 */
export function answerTo(asked, content) {
  const { resultType, inputRequests, requestState } = asked?.result ?? {}
  if (resultType !== 'input_required') throw new Error(`Not asked: ${JSON.stringify(asked)}`)
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map(key => [key, { action: 'accept', content }]))
  return { inputResponses, ...(requestState !== undefined && { requestState }) }
}

/**
 * 2026-07-28: the call is answered `input_required` and sent again with the answer and the state.
 * @param {string} url
 * @param {{ tool?: string }} [options]
 * @returns {Promise<Caller>}
 */
export async function roundsCaller(url, { tool } = {}) {
  const connection = new RoundsConnection(url, tool)
  const args = { arguments: { topic: 'names' } }
  return {
    async call(name) {
      const asked = await connection.send(args)
      check(await connection.send({ ...args, ...answerTo(asked, { name }) }), name)
    },
    close: () => connection.close(),
  }
}

/**
 * 2025-11-25: one session; the ask arrives on an event stream, its answer goes out on a connection of its own.
 * @param {string} url
 * @param {{ getStream?: boolean }} [options]
 * @returns {Promise<Caller>}
 */
export async function pushCaller(url, { getStream = false } = {}) {
  const calls = new Connection(url)
  const replies = new Connection(url)
  const stream = getStream ? new Connection(url) : undefined
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo }
  const opened = await calls.post(base, JSON.stringify({ jsonrpc: '2.0', id: ++ids, method: 'initialize', params }))
  const sessionId = /^mcp-session-id: *(\S+)/im.exec(opened.head)?.[1]
  if (!opened.message?.result || !sessionId) throw new Error(`No session: ${opened.head}`)
  const headers = `${base}mcp-protocol-version: 2025-11-25\r\nmcp-session-id: ${sessionId}\r\n`
  await calls.post(headers, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))

  let answer = ''
  /** @type {Error | undefined} */
  let failed
  /** @param {Message} message */
  function onMessage(message) {
    if (message.method !== 'elicitation/create') return
    const result = { action: 'accept', content: { name: answer } }
    replies.post(headers, JSON.stringify({ jsonrpc: '2.0', id: message.id, result })).then(
      ({ status }) => {
        if (status !== 202) failed = new Error(`The answer was refused with ${status}`)
      },
      error => {
        failed = error
      },
    )
  }
  await stream?.open(headers, onMessage)

  return {
    async call(name) {
      answer = name
      const call = { name: 'ask', arguments: { topic: 'names' } }
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++ids, method: 'tools/call', params: call })
      const { message } = await calls.post(headers, body, onMessage)
      if (failed) throw failed
      check(message, name)
    },
    close() {
      for (const connection of [calls, replies, stream]) connection?.close()
    },
  }
}

/**
 * @param {Message} message
 * @param {string} name
 */
function check(message, name) {
  if (message?.result?.content?.[0]?.text !== `hello ${name}`)
    throw new Error(`Wrong result: ${JSON.stringify(message)}`)
}

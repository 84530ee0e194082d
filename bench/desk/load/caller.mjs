import { Connection } from '../../wires/load/connection.mjs'

const revision = '2026-07-28'
const base = `content-type: application/json\r\naccept: application/json, text/event-stream\r\nmcp-protocol-version: ${revision}\r\nmcp-method: tools/call\r\nmcp-name: deploy\r\n`
/** A client that can ask nobody: its asks go to the desk. */
const _meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
let calls = 0

/** Calls a tool that asks, for anyone, and waits for its result. */
export class Caller {
  #connection

  /** @param {string} url of a node */
  constructor(url) {
    this.#connection = new Connection(`${url}mcp`)
  }

  /**
   * @param {string} person who is asked
   * @returns {Promise<string>} the words of the result
   */
  async call(person) {
    // The same arguments again would go on with the same call.
    const params = { name: 'deploy', arguments: { build: `${process.pid}-${calls}` }, _meta }
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++calls, method: 'tools/call', params })
    const { message } = await this.#connection.post(`${base}x-person: ${person}\r\n`, body)
    const text = message?.result?.content?.[0]?.text
    if (typeof text !== 'string') throw new Error(`No result: ${JSON.stringify(message)}`)
    return text
  }

  close() {
    this.#connection.close()
  }
}

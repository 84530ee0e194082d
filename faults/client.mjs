// A client that never gives up: it sends each request to any of the processes until one of them answers.

const tasksExtension = 'io.modelcontextprotocol/tasks'

/** @typedef {Record<string, unknown>} Capabilities */

/** What a client can show, and whether it takes tasks. @type {Record<'everything' | 'forms' | 'forms and tasks' | 'nothing', Capabilities>} */
export const capabilities = {
  everything: { elicitation: { form: {}, url: {} }, extensions: { [tasksExtension]: {} } },
  forms: { elicitation: { form: {} } },
  'forms and tasks': { elicitation: { form: {} }, extensions: { [tasksExtension]: {} } },
  nothing: {},
}
const timeoutMs = 20_000

export class Client {
  /** @type {readonly { url: string }[]} */
  #nodes
  /** @type {import('./random.mjs').Random} */
  #random
  #isStopped = false
  /** Requests that failed on the way, or because a store was away. */
  failures = 0

  /**
   * @param {readonly { url: string }[]} nodes
   * @param {import('./random.mjs').Random} random
   */
  constructor(nodes, random) {
    this.#nodes = nodes
    this.#random = random
  }

  /** Gives up from now on. */
  stop() {
    this.#isStopped = true
  }

  /**
   * @param {string} method
   * @param {Record<string, unknown>} params
   * @param {object} [options]
   * @param {Capabilities} [options.can]
   * @param {(error: unknown) => boolean} [options.isFinal] whether it is not sent again after this
   * @param {(problem: string) => void} [options.onFailure] told why it is sent again
   */
  async sendUntilAnswered(method, params, { can, isFinal = isRefusal, onFailure } = {}) {
    for (;;) {
      try {
        return await this.send(method, params, can)
      } catch (error) {
        if (isFinal(error) || this.#isStopped) throw error
        this.failures++
        onFailure?.(String(error))
        await pause(this.#random.between(20, 200))
      }
    }
  }

  /**
   * @param {string} method
   * @param {Record<string, unknown>} params
   * @param {Capabilities} [can]
   * @returns {Promise<Record<string, unknown>>}
   */
  async send(method, params, can = capabilities.everything) {
    const response = await fetch(this.#random.pick(this.#nodes).url, {
      method: 'POST',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': String(params.name ?? params.taskId),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'faults', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': can,
          },
        },
      }),
    })
    const text = await response.text()
    const data = text.startsWith('event:') || text.startsWith('data:') ? lastEvent(text) : text
    const { result, error } = JSON.parse(data)
    if (error) throw Object.assign(new Error(error.message), { code: error.code, data: error.data })
    // A tool's own error says that something failed underneath: nothing was taken that was not kept.
    if (result.isError) throw new Error(JSON.stringify(result.content))
    return result
  }
}

/**
 * Whether a request was refused for good.
 * @param {unknown} error
 */
export function isRefusal(error) {
  return error instanceof Error && 'code' in error && error.code === -32602
}

/**
 * Whether it may be otherwise when it is sent again: the store was away, or a process.
 * @param {unknown} error
 */
export function isPassing(error) {
  const isOfProtocol = error instanceof Error && 'code' in error && Number(error.code) <= -32_000
  return !isOfProtocol || error.message.includes('does not answer')
}

/** @param {number} ms */
export function pause(ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}

/** @param {string} text */
function lastEvent(text) {
  return (
    text
      .split('\n')
      .findLast(line => line.startsWith('data:'))
      ?.slice(5) ?? ''
  )
}

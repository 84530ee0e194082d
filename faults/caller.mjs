// A client that never gives up: it sends each request to any of the processes until one of them answers, now and then to
// two at once, and now and then with two different answers. It knows what it was told, and compares.
import assert from 'node:assert/strict'

const tasksExtension = 'io.modelcontextprotocol/tasks'

/** @typedef {{ code: number, message: string }} RpcError */
/** @typedef {Record<string, { params: { message: string, requestedSchema?: { properties?: object } } }>} InputRequests */
/** @typedef {Record<string, unknown>} Answers */

export class Caller {
  /** @type {readonly { url: string }[]} */
  #nodes
  /** @type {import('./random.mjs').Random} */
  #random
  #deadline
  /** Requests that failed on the way, or because a store was away. */
  failures = 0
  /** Rounds that got two different answers at once. */
  races = 0

  /**
   * @param {readonly { url: string }[]} nodes
   * @param {import('./random.mjs').Random} random
   * @param {number} deadline when waiting for an answer counts as hanging
   */
  constructor(nodes, random, deadline) {
    this.#nodes = nodes
    this.#random = random
    this.#deadline = deadline
  }

  /**
   * Calls the tool that answers in rounds, and checks what comes of it.
   * @param {string} tag
   * @returns {Promise<string[]>} the ids of its steps
   */
  async work(tag) {
    /** @type {Map<string, string>} */
    const given = new Map()
    /** @type {Record<string, unknown>} */
    let params = { name: 'work', arguments: { tag } }
    for (;;) {
      const result = await this.#settle(params, given)
      if (result.resultType !== 'input_required') return check(tag, result, given)
      params = {
        name: 'work',
        arguments: { tag },
        requestState: result.requestState,
        inputRequests: result.inputRequests,
      }
    }
  }

  /**
   * Calls the tool that runs as a task.
   * @param {string} tag
   * @returns {Promise<{ taskId: string, steps: string[] }>}
   */
  async job(tag) {
    /** @type {Map<string, string>} */
    const given = new Map()
    const created = await this.#sendUntilAnswered('tools/call', { name: 'job', arguments: { tag } })
    const taskId = String(created.taskId)
    for (;;) {
      const task = await this.#sendUntilAnswered('tasks/get', { taskId })
      if (task.status === 'completed') {
        return { taskId, steps: check(tag, /** @type {Record<string, unknown>} */ (task.result), given) }
      }
      assert.ok(['working', 'input_required'].includes(String(task.status)), `${tag} is ${JSON.stringify(task)}`)
      const inputResponses = answersTo(tag, /** @type {InputRequests} */ (task.inputRequests ?? {}), given, '')
      if (Object.keys(inputResponses).length > 0)
        await this.#sendUntilAnswered('tasks/update', { taskId, inputResponses })
      await pause(this.#random.between(10, 60))
    }
  }

  /**
   * Sends a round until it is answered: once, twice at once, or with two different answers of which one wins.
   * @param {Record<string, unknown>} round
   * @param {Map<string, string>} given
   */
  async #settle({ inputRequests, ...params }, given) {
    if (inputRequests === undefined) return this.#sendUntilAnswered('tools/call', params)
    const tag = String(/** @type {{ tag: string }} */ (params.arguments).tag)
    const requests = /** @type {InputRequests} */ (inputRequests)
    // A confirm has one answer that goes on: there is nothing to race with.
    const isRace =
      this.#random.next() < 0.15 &&
      !Object.values(requests).some(({ params: { message } }) => message.endsWith(' sure'))
    if (isRace) this.races++
    const versions = isRace ? ['', '!'] : ['']
    const candidates = versions.map(suffix => {
      /** @type {Map<string, string>} */
      const said = new Map()
      return { said, body: { ...params, inputResponses: answersTo(tag, requests, said, suffix) } }
    })
    const copies = candidates.flatMap(candidate => (this.#random.next() < 0.2 ? [candidate, candidate] : [candidate]))
    const first = await Promise.all(copies.map(copy => this.#send('tools/call', copy.body).catch(() => undefined)))
    const won = copies.filter((_, index) => first[index] !== undefined)
    const replies = first.filter(reply => reply !== undefined)
    for (const reply of replies) assert.deepEqual(reply, replies[0], `${tag}: the same round got two replies`)
    for (const copy of won) assert.equal(copy.said, won[0]?.said, `${tag}: two answers won`)
    const [winner] = won
    if (winner !== undefined && replies[0] !== undefined) {
      remember(given, winner.said)
      return replies[0]
    }
    // Nobody heard a reply. One of them may have been taken: then the others are refused for good.
    for (const { said, body } of candidates) {
      try {
        const reply = await this.#sendUntilAnswered('tools/call', body)
        remember(given, said)
        return reply
      } catch (error) {
        if (!isRefusal(error)) throw error
      }
    }
    throw new Error(`${tag}: a round was lost, none of its answers counts`)
  }

  /**
   * @param {string} method
   * @param {Record<string, unknown>} params
   */
  async #sendUntilAnswered(method, params) {
    for (;;) {
      try {
        return await this.#send(method, params)
      } catch (error) {
        if (isRefusal(error)) throw error
        this.failures++
        if (Date.now() > this.#deadline)
          throw new Error(`hangs: ${method} ${JSON.stringify(params).slice(0, 200)}: ${error}`)
        await pause(this.#random.between(20, 200))
      }
    }
  }

  /**
   * @param {string} method
   * @param {Record<string, unknown>} params
   * @returns {Promise<Record<string, unknown>>}
   */
  async #send(method, params) {
    const response = await fetch(this.#random.pick(this.#nodes).url, {
      method: 'POST',
      signal: AbortSignal.timeout(20_000),
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
            'io.modelcontextprotocol/clientCapabilities': {
              elicitation: { form: {}, url: {} },
              extensions: { [tasksExtension]: {} },
            },
          },
        },
      }),
    })
    const text = await response.text()
    const data = text.startsWith('event:') || text.startsWith('data:') ? lastEvent(text) : text
    const { result, error } = JSON.parse(data)
    if (error) throw Object.assign(new Error(error.message), { code: error.code })
    // A tool's own error says that something failed underneath: nothing was taken that was not kept.
    if (result.isError) throw new Error(JSON.stringify(result.content))
    return result
  }
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

/** @param {unknown} error */
function isRefusal(error) {
  return error instanceof Error && 'code' in error && error.code === -32602
}

/**
 * Answers each ask with its own words, so that an answer to something else is found out.
 * @param {string} tag
 * @param {InputRequests} requests
 * @param {Map<string, string>} given
 * @param {string} suffix
 */
function answersTo(tag, requests, given, suffix) {
  return Object.fromEntries(
    Object.entries(requests).map(([key, { params }]) => {
      const { message } = params
      assert.ok(message.startsWith(`${tag} `), `${tag} was asked: ${message}`)
      const question = message.slice(tag.length + 1)
      if (question === 'sure') return [key, { action: 'accept', content: {} }]
      given.set(question, `${tag}/${question}${suffix}`)
      return [key, { action: 'accept', content: { value: given.get(question) } }]
    }),
  )
}

/**
 * @param {Map<string, string>} given
 * @param {Map<string, string>} said
 */
function remember(given, said) {
  for (const [question, answer] of said) given.set(question, answer)
}

/**
 * @param {string} tag
 * @param {Record<string, unknown>} result
 * @param {Map<string, string>} given
 * @returns {string[]}
 */
function check(tag, result, given) {
  const [{ text }] = /** @type {[{ text: string }]} */ (result.content)
  const { answers, steps, isSure } = JSON.parse(text)
  assert.deepEqual(
    answers,
    ['first', 'second', 'third'].map(question => given.get(question)),
    `${tag} has other answers`,
  )
  assert.equal(isSure, true)
  return steps
}

/** @param {number} ms */
function pause(ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}

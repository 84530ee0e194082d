// The engine as the HTTP side calls it, one request at a time, without the socket: the others have none either.

/** @typedef {import('./contender.mjs').Contender} Contender */
/** @typedef {import('../../../packages/server/src/call/incoming.js').Incoming} Incoming */
/** @typedef {import('../../../packages/server/src/server/answer-job.js').Job} Job */

/** @param {string} path of a built file */
const built = path => import(new URL(`../../../packages/server/dist/${path}`, import.meta.url).href)
const { digest } = await built('crypto/digest.js')
const { answerJob } = await built('server/answer-job.js')
const { createEngine } = await built('server/engine.js')
const { rawToolResult } = await built('server/results.js')
const { signal } = new AbortController()

/**
 * A tool that asks, in rounds.
 * @param {import('beckon/store').Store} store
 * @returns {Contender}
 */
export function beckon(store) {
  const engine = createEngine({ store }, '1')
  /** @type {Job} */
  const job = {
    subject: { kind: 'tool', name: 'ask', input: {} },
    target: { method: 'tools/call', name: 'ask', digest: digest({}) },
    tool: {},
    middleware: [],
    fallback: 'refuse',
    run: async ctx => ctx.text(`${await ctx.elicit({ question: 'Which color?', schema: ['red', 'green'] })}`),
    resultOf: rawToolResult,
  }
  /** @param {Pick<Incoming, 'requestState' | 'inputResponses'>} answers */
  async function send(answers) {
    await engine.ring.opening
    /** @type {Incoming} */
    const incoming = {
      method: 'tools/call',
      params: { name: 'ask', arguments: {} },
      revision: '2026-07-28',
      capabilities: { elicitation: { form: {} } },
      client: undefined,
      principal: undefined,
      sessionId: undefined,
      progressToken: undefined,
      signal,
      onCancel() {},
      notify() {},
      log() {},
      send: undefined,
      ...answers,
    }
    return answerJob(engine, incoming, job)
  }
  return {
    async cycle() {
      const { inputRequests, requestState } = await send({ requestState: undefined, inputResponses: undefined })
      const [id] = Object.keys(/** @type {object} */ (inputRequests))
      const inputResponses = { [`${id}`]: { action: 'accept', content: { value: 'green' } } }
      const { content } = await send({ requestState: String(requestState), inputResponses })
      if (JSON.stringify(content).includes('green') === false) throw new Error('The call ended otherwise.')
    },
    async close() {
      await engine.close()
      await store.close()
    },
  }
}

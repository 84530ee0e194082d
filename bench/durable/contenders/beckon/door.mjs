// The engine as the HTTP side calls it, one request at a time, without the socket: the others have none either.

/** @typedef {import('../../../../packages/server/src/call/incoming.js').Incoming} Incoming */
/** @typedef {import('../../../../packages/server/src/server/answer-job.js').Job} Job */
/** @typedef {import('../../../../packages/server/src/server/engine.js').EngineOptions} EngineOptions */
/** @typedef {import('beckon/store').Store} Store */

/**
 * What the engine is made of: of the sources in a test, else of what was built.
 * @typedef {object} Internals
 * @property {typeof import('../../../../packages/server/src/server/answer-job.js').answerJob} answerJob
 * @property {typeof import('../../../../packages/server/src/server/engine.js').createEngine} createEngine
 * @property {typeof import('../../../../packages/server/src/crypto/digest.js').digest} digest
 * @property {typeof import('../../../../packages/server/src/server/results.js').rawToolResult} rawToolResult
 */

const { signal } = new AbortController()

/** What everyone is answered. */
export const answer = { action: /** @type {const} */ ('accept'), content: { value: 'green' } }

/**
 * A tool that asks, and who calls it. Servers of different names in one store are none of each other's business: with the same
 * name they would be nodes of one server, and each would look what the others have written.
 * @param {Internals} internals
 * @param {{ name: string, store: Store, tool?: Job['tool'], capabilities: Incoming['capabilities'], principal?: string } & Pick<EngineOptions, 'desk' | 'wait'>} options
 */
export function openDoor({ answerJob, createEngine, digest, rawToolResult }, options) {
  const { name, store, desk, wait, tool = {}, capabilities, principal } = options
  const engine = createEngine({ store, desk, wait }, '1', name)
  return {
    engine,
    /**
     * What a request with these arguments runs.
     * @param {Record<string, unknown>} [input]
     * @returns {Job}
     */
    jobOf: (input = {}) => ({
      subject: { kind: 'tool', name: 'ask', input },
      target: { method: 'tools/call', name: 'ask', digest: digest(input) },
      tool,
      middleware: [],
      fallback: desk === undefined ? 'refuse' : 'desk',
      servesTasks: true,
      run: async ctx => ctx.text(`${await ctx.elicit({ question: 'Which color?', schema: ['red', 'green'] })}`),
      resultOf: returned => rawToolResult(returned, 'ask'),
    }),
    /**
     * @param {Job} job
     * @param {Partial<Pick<Incoming, 'requestState' | 'inputResponses'>>} [answers]
     */
    async send(job, { requestState, inputResponses } = {}) {
      await engine.ring.opening
      /** @type {Incoming} */
      const incoming = {
        method: 'tools/call',
        params: { name: 'ask', arguments: job.subject.input },
        revision: '2026-07-28',
        capabilities,
        client: undefined,
        principal,
        sessionId: undefined,
        requestState,
        inputResponses,
        progressToken: undefined,
        signal,
        onCancel() {},
        notify() {},
        log() {},
        send: undefined,
      }
      return answerJob(engine, incoming, job)
    },
    async close() {
      await engine.close()
      await store.close()
    },
  }
}

/**
 * @param {Record<string, unknown>} result of a call
 */
export function check({ content }) {
  if (!JSON.stringify(content ?? null).includes('green')) throw new Error('The call ended otherwise.')
}

/**
 * The answers to all that is asked.
 * @param {unknown} inputRequests
 */
export function answersTo(inputRequests) {
  return Object.fromEntries(Object.keys(/** @type {object} */ (inputRequests ?? {})).map(id => [id, answer]))
}

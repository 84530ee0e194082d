// Standard input and output: lines that are nearly right, before and after a client of either era has opened the connection. What is
// right on the same connection is answered as it should be, whatever came before it.
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { createServer } from 'beckon'
import { inTime } from '../in-time.mjs'
import { finding, judgeMessage } from '../judge.mjs'
import { garbledBytes, mutatedText } from '../mutate.mjs'
import { accepted, addTools, expectText, initialize, legacyMessages, modernMessage, modernMessages } from '../shop.mjs'

/** @typedef {import('../driver.mjs').Target} Target */
/** @typedef {import('../../faults/random.mjs').Random} Random */
/** @typedef {import('../shop.mjs').Message} Message */
/** @typedef {ReturnType<typeof connect>} Connection */

/** A line of more than 10 MiB ends the connection, and nothing after it is answered. */
const maxLength = 2.5 * 2 ** 20

/** @type {Target} */
export const stdio = {
  share: 1,
  atOnce: 4,
  honestEvery: 100,
  async open() {
    // It is told of lines that are no messages, which are many here.
    const server = createServer({ name: 'shop', version: '1.0.0', person: 'unchecked', onError() {} })
    addTools(server)
    const known = { state: 'AAAA', askId: 'a', taskId: 't' }

    return {
      async attack(random) {
        const client = connect(server)
        const isModern = random.next() < 0.6
        const valid = isModern ? modernMessages(known) : legacyMessages()
        // Some open the connection as they should, and some with the first thing that is wrong.
        const isOpened = random.next() < 0.7
        if (isOpened) await client.request(isModern ? modernMessage('tools/list', {}) : initialize)
        /** @type {string[]} */
        const sent = []
        for (let times = random.between(1, 5); times > 0; times--) {
          const text = mutatedText(random, random.pick(valid), valid)
          if (text.length > maxLength) continue
          sent.push(text)
          client.write(...inParts(random, text))
        }
        if (isOpened) await expectEcho(client, isModern, sent)
        else await sleep(1)
        for (const said of client.said) judgeMessage(said, sent)
        await client.close()
      },
      async honest(nth) {
        const call = { name: 'order', arguments: { item: `tea ${nth}` } }
        const told = `tea ${nth} for Ada, 36, pro, a, true`
        const modern = connect(server)
        const { result } = await modern.request(modernMessage('tools/call', call))
        const [id = ''] = Object.keys(result.inputRequests)
        const again = { ...call, requestState: result.requestState, inputResponses: { [id]: accepted } }
        expectText(await modern.request({ ...modernMessage('tools/call', again), id: 2 }), told)
        await modern.close()
        const legacy = connect(server)
        await legacy.request(initialize)
        legacy.write(line({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: call }))
        const question = await legacy.next(({ method }) => method === 'elicitation/create')
        legacy.write(line({ jsonrpc: '2.0', id: question.id, result: accepted }))
        expectText(await legacy.next(({ id, method }) => id === 7 && method === undefined), told)
        await legacy.close()
        // What the attacker goes on with: a call of this server, which asks.
        const theirs = connect(server)
        const asked = (await theirs.request(modernMessage('tools/call', { name: 'order', arguments: { item: 'tea' } })))
          .result
        const task = (await theirs.request({ ...modernMessage('tools/call', { name: 'later', arguments: {} }), id: 2 }))
          .result
        await theirs.close()
        known.state = asked.requestState
        known.askId = Object.keys(asked.inputRequests)[0] ?? ''
        known.taskId = task.taskId
      },
      close: () => server.close(),
    }
  },
}

/**
 * A connection of its own to the server, with a client that writes lines.
 * @param {import('beckon').BeckonServer} server
 */
function connect(server) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  /** @type {string[]} */
  const said = []
  let rest = ''
  let onLine = () => {}
  output.setEncoding('utf8').on('data', text => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    said.push(...lines)
    onLine()
  })
  const serving = server.stdio({ transport: new StdioServerTransport(input, output) })
  return {
    /** Every line that came. */
    said,
    /** @param {(string | Uint8Array)[]} parts */
    write(...parts) {
      for (const part of parts) input.write(part)
    },
    /**
     * @param {(message: Record<string, any>) => boolean} isWanted
     * @param {unknown} [sent] before
     * @returns {Promise<Record<string, any>>}
     */
    next(isWanted, sent) {
      /** @type {Promise<Record<string, any>>} */
      const found = new Promise(resolve => {
        onLine = () => {
          const message = said.map(text => JSON.parse(text)).find(isWanted)
          if (message !== undefined) resolve(message)
        }
        onLine()
      })
      return inTime(found, sent, () => said.at(-1) ?? '')
    },
    /** @param {Message} message @param {unknown} [sent] before */
    request(message, sent) {
      this.write(line(message))
      return this.next(({ id, method }) => id === message.id && method === undefined, sent)
    },
    async close() {
      input.end()
      await serving.close()
    },
  }
}

/** @param {unknown} message */
function line(message) {
  return `${JSON.stringify(message)}\n`
}

/**
 * What is right, after what was not.
 * @param {Connection} client
 * @param {boolean} isModern
 * @param {unknown} sent
 */
async function expectEcho(client, isModern, sent) {
  const params = { name: 'echo', arguments: { text: 'still there' } }
  const call = isModern ? modernMessage('tools/call', params) : { jsonrpc: '2.0', method: 'tools/call', params }
  const { result, error } = await client.request({ ...call, id: 'an honest one' }, sent)
  if (result?.content?.[0]?.text !== 'still there')
    throw finding('what was right was not answered', JSON.stringify(error ?? result), sent)
}

/**
 * A line as it may come: at once, in pieces, or with bytes turned over.
 * @param {Random} random
 * @param {string} text
 */
function inParts(random, text) {
  const bytes = Buffer.from(`${text.replaceAll('\n', ' ')}${random.next() < 0.9 ? '' : '\r'}`)
  const roll = random.next()
  if (roll < 0.1) return [Buffer.from(garbledBytes(random, bytes)).map(byte => (byte === 10 ? 32 : byte)), '\n']
  if (roll < 0.8) return [bytes, '\n']
  const at = random.between(0, bytes.length + 1)
  return [bytes.subarray(0, at), bytes.subarray(at), '\n']
}

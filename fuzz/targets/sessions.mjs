// 2025 sessions of two nodes that share a store: what belongs to a session is sent to whichever node, some of it of a session whose
// node is gone.
import { createServer, memoryStore } from 'beckon'
import { texts } from '../hostile.mjs'
import { inTime } from '../in-time.mjs'
import { judgeRpc } from '../judge.mjs'
import { garbled, mutatedText } from '../mutate.mjs'
import { accepted, addTools, expectText, initialize, json, legacyMessages } from '../shop.mjs'

/** @typedef {import('../driver.mjs').Target} Target */
/** @typedef {import('../../faults/random.mjs').Random} Random */
/** @typedef {import('beckon').BeckonServer} Node */

const url = 'https://shop.example/mcp'
const revision = { 'mcp-protocol-version': '2025-11-25' }

/** @type {Target} */
export const sessions = {
  share: 1,
  atOnce: 4,
  honestEvery: 100,
  async open(findings) {
    const store = { ...memoryStore(), shared: true }
    function start() {
      const server = createServer({
        name: 'shop',
        version: '1.0.0',
        publicUrl: 'https://shop.example',
        keys: 'a key for fuzzing, and nothing else',
        store,
        person: 'unchecked',
        identify: request => request.headers.get('x-user') ?? undefined,
        onError: error => findings(`onError: ${error instanceof Error ? error.stack : String(error)}`),
      })
      addTools(server)
      return server
    }
    const nodes = [start(), start()]
    const known = { session: 's', question: 'q', event: 'e' }

    return {
      async attack(random) {
        const node = random.pick(nodes)
        const valid = [...legacyMessages(), { jsonrpc: '2.0', id: known.question, result: accepted }]
        /** @type {Record<string, string>} */
        const headers = { ...json, ...revision, 'mcp-session-id': known.session, 'x-user': 'mallory' }
        if (random.next() < 0.1) spoil(random, headers, known.event)
        const roll = random.next()
        if (roll < 0.05) {
          headers['last-event-id'] = random.next() < 0.5 ? known.event : garbled(random, known.event)
          return judgeRpc(await send(node, { method: 'GET', headers }), `GET ${JSON.stringify(headers)}`)
        }
        // Ended now and then, so that what follows is of a session that is not there any more.
        if (roll < 0.06) return judgeRpc(await send(node, { method: 'DELETE', headers }), 'DELETE')
        const message = random.pick(valid)
        // One that waits for an answer keeps its id.
        const fresh = 'method' in message && 'id' in message ? { ...message, id: random.between(10, 1e6) } : message
        const body = mutatedText(random, fresh, valid)
        judgeRpc(await send(node, { method: 'POST', headers, body }), `${JSON.stringify(headers)} ${body}`)
      },
      async honest(nth) {
        const [one, other] = nth % 2 === 0 ? nodes : nodes.toReversed()
        if (one === undefined || other === undefined) throw new Error('There are two.')
        const headers = await openSession(one, 'honest')
        // Asked on one node, answered on the other, told on the first.
        const asking = await reading(await one.fetch(post(headers, order(`tea ${nth}`))))
        const asked = await asking.next()
        await (await other.fetch(post(headers, { jsonrpc: '2.0', id: asked.id, result: accepted }))).text()
        expectText(await asking.next(), `tea ${nth} for Ada, 36, pro, a, true`)
        await asking.end()
        // A third node had it, and is gone.
        const brief = start()
        const moved = await openSession(brief, 'honest')
        await expectEcho(brief, moved, `brief ${nth}`)
        const theirs = await openSession(brief, 'mallory')
        await brief.close()
        await expectEcho(other, moved, `moved ${nth}`)
        for (const session of [headers, moved])
          await (await one.fetch(new Request(url, { method: 'DELETE', headers: session }))).text()
        // What the attacker goes on with: a session of their own, one of the node that is gone, a question and a place in a stream.
        const live = nth % 3 === 0 ? theirs : await openSession(one, 'mallory')
        const call = await reading(await other.fetch(post(live, order('tea'))))
        known.question = (await call.next()).id
        known.event = call.lastEvent()
        known.session = live['mcp-session-id']
        await call.end()
      },
      async close() {
        for (const node of nodes) await node.close()
      },
    }
  },
}

/** @param {string} item */
function order(item) {
  return { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'order', arguments: { item } } }
}

/** @param {Node} node @param {string} user */
async function openSession(node, user) {
  const response = await node.fetch(post({ ...json, 'x-user': user }, initialize))
  await response.text()
  const session = String(response.headers.get('mcp-session-id'))
  const headers = { ...json, ...revision, 'x-user': user, 'mcp-session-id': session }
  await (await node.fetch(post(headers, { jsonrpc: '2.0', method: 'notifications/initialized' }))).text()
  return headers
}

/** @param {Node} node @param {Record<string, string>} headers @param {string} text */
async function expectEcho(node, headers, text) {
  const params = { name: 'echo', arguments: { text } }
  const echoed = await reading(await node.fetch(post(headers, { jsonrpc: '2.0', id: 2, method: 'tools/call', params })))
  expectText(await echoed.next(), text)
  await echoed.end()
}

/** @param {Record<string, string>} headers @param {unknown} message */
function post(headers, message) {
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(message) })
}

/**
 * What came back, of a stream its first event; undefined where no client could send it.
 * @param {Node} node
 * @param {{ method: string, headers: Record<string, string>, body?: string }} sent
 */
async function send(node, sent) {
  let request
  try {
    request = new Request(url, sent)
  } catch {
    return undefined
  }
  const response = await inTime(node.fetch(request), sent)
  const { status, body } = response
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return { status, text: await inTime(response.text(), sent) }
  // A stream that somebody listens to says nothing until something happens.
  if (sent.method === 'GET') {
    await body?.cancel()
    return { status, text: '' }
  }
  const stream = await reading(response)
  const text = await inTime(stream.text(), sent)
  await stream.end()
  return { status, text }
}

/**
 * The messages of a reply, one after the other.
 * @param {Response} response
 */
async function reading(response) {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let [text, last, isOver] = ['', '', false]
  async function more() {
    const read = await reader?.read()
    isOver = read === undefined || read.done
    if (read?.value !== undefined) text += decoder.decode(read.value, { stream: true })
  }
  return {
    /** The first thing that was said. */
    async text() {
      while (!isOver && !/^data: ?.+\n/m.test(text)) await more()
      return text
    },
    async next() {
      for (;;) {
        const event = /(?:^id: ?(.*)\n)?^data: ?(\{.*)\n/m.exec(text)
        if (event !== null) {
          last = event[1] ?? last
          text = text.slice(event.index + event[0].length)
          return JSON.parse(event[2] ?? '')
        }
        if (isOver) return JSON.parse(text)
        await inTime(more(), 'by somebody honest')
      }
    },
    lastEvent: () => last,
    async end() {
      if (!isOver) await reader?.cancel()
    },
  }
}

/** @param {Random} random @param {Record<string, string>} headers @param {string} event */
function spoil(random, headers, event) {
  const name = random.pick([...Object.keys(headers), 'origin', 'last-event-id', 'content-encoding'])
  if (random.next() < 0.3) delete headers[name]
  else if (name === 'last-event-id') headers[name] = garbled(random, event)
  else headers[name] = random.next() < 0.5 ? garbled(random, headers[name] ?? 'x') : random.pick(texts)
}

import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  answered,
  answerTo,
  asking,
  at,
  dataOf,
  type HttpNode,
  httpNode,
  statusOf,
} from '../../../../test/http-nodes.js'
import { eventsOf, legacyPost, openSession, type RawSession } from '../../../../test/raw-http.js'
import { digest } from '../../../crypto/digest.js'
import { memoryStore, type Store } from '../../../store/index.js'

describe('a 2025 session on two nodes', () => {
  let shared: Store
  let a: HttpNode
  let b: HttpNode
  let onA: RawSession
  let onB: RawSession

  beforeEach(async () => {
    shared = memoryStore()
    a = await httpNode(shared)
    b = await httpNode(shared)
    onA = await openSession(a)
    onB = at(b, onA)
  })

  const remove = (node: HttpNode) => node.fetch({ method: 'DELETE', headers: onA.headers })
  const resumedOn = async (session: RawSession, id: string) => eventsOf(await session.get({ 'last-event-id': id }))

  it('serves its requests on both', async () => {
    for (const session of [onA, onB, onA])
      expect(await (await session.call('hello')).json()).toMatchObject({ result: { content: [{ text: 'hello' }] } })
    const facts = b.served.seen.map(({ revision, capabilities, client }) => ({ revision, capabilities, client }))
    expect(facts).toMatchObject([
      { revision: '2025-11-25', capabilities: { elicitation: {} }, client: { name: 'raw' } },
    ])
  })

  it('takes an answer for the node that asked, however many others had it since', async () => {
    const { events, asked } = await asking(onA)
    const nodes = `http/session/${digest(onA.headers['mcp-session-id'] ?? '')}/nodes`
    expect(await shared.range(nodes, { limit: 100 })).toHaveLength(1)
    for (let n = 0; n < 32; n++) await shared.put(nodes, `node-${n}`, Date.now() + n)
    expect(await statusOf(onB.post(answerTo(asked)))).toBe(202)
    expect((await events.rest()).map(dataOf)).toMatchObject([{ id: 1, result: answered }])
  })

  it('is nobody else’s on the other node', async () => {
    const identify = (request: Request) => request.headers.get('x-who') ?? undefined
    const [one, other] = [
      await httpNode(shared, { served: { identify } }),
      await httpNode(shared, { served: { identify } }),
    ]
    const { headers } = await openSession(one, '2025-11-25', { 'x-who': 'ana' })
    expect(await statusOf(at(other, { headers: { ...headers, 'x-who': 'ben' } }).call('hello'))).toBe(404)
    expect(await statusOf(at(other, { headers }).call('hello'))).toBe(200)
    expect(await statusOf(at(other, { headers: { ...headers, 'x-who': 'ben' } }).call('hello'))).toBe(404)
    expect(await statusOf(other.fetch({ method: 'DELETE', headers: { ...headers, 'x-who': 'ben' } }))).toBe(404)
    const unknown = at(other, { headers: { ...headers, 'mcp-session-id': crypto.randomUUID() } })
    expect(await statusOf(unknown.call('hello'))).toBe(404)
  })

  it('takes an answer on one node for what the other asked', async () => {
    const { events, asked } = await asking(onA)
    expect(asked.id).toContain(a.id)
    expect(await statusOf(onB.post(answerTo(asked)))).toBe(202)
    expect((await events.rest()).map(dataOf)).toMatchObject([{ id: 1, result: answered }])
  })

  it('answers, cancels and takes up nothing of another session', async () => {
    const { events, asked, last } = await asking(onA, 7)
    const bob = await openSession(a)
    await statusOf(at(b, bob).call('hello'))
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
    for (const node of [a, b]) {
      expect(await statusOf(at(node, bob).post(answerTo(asked)))).toBe(202)
      expect(await statusOf(at(node, bob).post(cancel))).toBe(202)
      expect(await statusOf(at(node, bob).get({ 'last-event-id': last }))).toBe(400)
    }
    expect(await statusOf(onB.post(answerTo(asked)))).toBe(202)
    expect((await events.rest()).map(dataOf)).toMatchObject([{ id: 7, result: answered }])
  })

  it('takes many answers, each for its own question, on whichever node', async () => {
    const calls = await Promise.all(
      Array.from({ length: 20 }, (_, index) => asking(index % 2 === 0 ? onA : onB, `call ${index}`)),
    )
    await Promise.all(
      calls.map(({ asked }, index) => {
        const result = { action: 'accept', content: { name: `name ${index}` } }
        return statusOf((index % 3 === 0 ? onA : onB).post({ jsonrpc: '2.0', id: asked.id, result }))
      }),
    )
    for (const [index, { events }] of calls.entries()) {
      const [result] = (await events.rest()).map(dataOf)
      expect(result.id).toBe(`call ${index}`)
      expect(result.result.content[0].text).toContain(`"name ${index}"`)
    }
  })

  it('takes an answer of which the other node got no hint', async () => {
    const deaf = await httpNode(shared, { hurt: () => ({ subscribe: async () => async () => {} }) })
    const onDeaf = await openSession(deaf)
    const { events, asked } = await asking(onDeaf)
    expect(await statusOf(at(b, onDeaf).post(answerTo(asked)))).toBe(202)
    expect((await events.rest()).map(dataOf)).toMatchObject([{ id: 1, result: answered }])
  })

  it('takes an answer also where it came just after the last one before it had ended', async () => {
    let delayMs = 0
    const hurt = ({ put }: Store): Partial<Store> => ({
      async put(...args) {
        await new Promise(resolve => setTimeout(resolve, delayMs))
        return put(...args)
      },
    })
    const own = memoryStore()
    const slow = await httpNode(own, { hurt, leaseMs: 10_000 })
    const other = await httpNode(own, { leaseMs: 10_000 })
    const { headers } = await openSession(slow)
    expect(await statusOf(slow.fetch({ method: 'DELETE', headers }))).toBe(200)
    const session = await openSession(other)
    // Longer than a node without sessions goes on to look for mail.
    delayMs = 1_100
    await statusOf(at(slow, session).call('hello'))
    delayMs = 0
    const { events, asked } = await asking(at(slow, session))
    expect(await statusOf(session.post(answerTo(asked)))).toBe(202)
    expect((await events.rest()).map(dataOf)).toMatchObject([{ id: 1, result: answered }])
  })

  it('brings an answer to a node that seemed dead and was only slow', async () => {
    const slow = await httpNode(shared, { leaseMs: 100_000 })
    const session = await openSession(slow)
    const { events, asked } = await asking(session)
    await vi.waitFor(async () => expect(await statusOf(at(b, session).post(answerTo(asked)))).toBe(400), {
      timeout: 5_000,
    })
    expect((await events.rest()).map(dataOf)).toMatchObject([{ id: 1, result: answered }])
  })

  it('says that an answer was taken once it is stored, and not before', async () => {
    await statusOf(onB.call('hello'))
    const { events, asked } = await asking(onA)
    b.store.isAway = true
    const refused = await onB.post(answerTo(asked))
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('does not answer') } })
    b.store.isAway = false
    expect(await statusOf(onB.post(answerTo(asked)))).toBe(202)
    expect((await events.rest()).map(dataOf)).toMatchObject([{ id: 1, result: answered }])
  })

  it('says that it is over to who changes it on a node that has not heard of its end', async () => {
    await statusOf(onB.call('hello'))
    await shared.delete(`http/session/${digest(onA.headers['mcp-session-id'] ?? '')}`)
    const setLevel = { jsonrpc: '2.0', id: 5, method: 'logging/setLevel', params: { level: 'info' } }
    expect(await (await onB.post(setLevel)).json()).toMatchObject({ id: 5, error: { code: -32001 } })
  })

  it('cancels on one node what runs on the other', async () => {
    const aborted = a.served.aborted('wait')
    const began = a.served.began('wait')
    const waiting = onA.call('wait', 7)
    await began
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
    expect(await statusOf(onB.post(cancel))).toBe(202)
    await aborted
    expect(await eventsOf(await waiting).rest()).not.toContainEqual(expect.objectContaining({ data: /result/ }))
  })

  it('withdraws a question by the id that it was asked with', async () => {
    const { events, asked } = await asking(onA, 7)
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
    expect(await statusOf(onB.post(cancel))).toBe(202)
    expect(dataOf(await events.next())).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: asked.id },
    })
    expect(await events.rest()).toEqual([])
  })

  it('ends on both when it is deleted on one', async () => {
    const aborted = a.served.aborted('ask')
    const { events } = await asking(onA)
    expect(await statusOf(remove(b))).toBe(200)
    await aborted
    await events.rest()
    expect(await statusOf(onB.call('hello'))).toBe(404)
    await vi.waitFor(async () => expect(await statusOf(onA.call('hello'))).toBe(404))
    expect(await statusOf(remove(a))).toBe(404)
  })

  it('has its GET stream on one node, also for what happens on the other', async () => {
    const subscribe = { jsonrpc: '2.0', id: 5, method: 'resources/subscribe', params: { uri: 'note://a' } }
    await (await onA.post(subscribe)).text()
    a.serving.notify.resourceUpdated('note://a')
    const events = eventsOf(await onB.get())
    await events.next()
    // What happened before there was a stream, too.
    expect(dataOf(await events.next())).toMatchObject({ params: { uri: 'note://a' } })
    a.serving.notify.toolsChanged()
    expect(dataOf(await events.next())).toMatchObject({ method: 'notifications/tools/list_changed' })
    b.serving.notify.resourceUpdated('note://a')
    expect(dataOf(await events.next())).toMatchObject({ method: 'notifications/resources/updated' })
    await events.cancel()
  })

  it('moves its GET stream to the node that is asked for it', async () => {
    const old = eventsOf(await onA.get())
    await old.next()
    const now = eventsOf(await onB.get())
    await now.next()
    expect(await old.rest()).toEqual([])
    a.serving.notify.toolsChanged()
    expect(dataOf(await now.next())).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(await statusOf(onB.get())).toBe(409)
    await now.cancel()
  })

  it('has one log level on both', async () => {
    const logged = async (session: RawSession) => {
      const events = (await eventsOf(await session.call('work', crypto.randomUUID())).rest()).map(dataOf)
      expect(events.at(-1)).toMatchObject({ result: { content: [{ text: 'worked' }] } })
      return events.filter(event => event?.method === 'notifications/message').length
    }
    expect(await logged(onB)).toBeGreaterThan(0)
    const setLevel = { jsonrpc: '2.0', id: 5, method: 'logging/setLevel', params: { level: 'error' } }
    expect(await (await onA.post(setLevel)).json()).toMatchObject({ result: {} })
    await vi.waitFor(async () => expect(await logged(onB)).toBe(0))
    expect(await logged(at(await httpNode(shared), onA))).toBe(0)
  })

  it('goes on with a stream of one node on the other', async () => {
    const { events, primed, last, asked } = await asking(onA)
    await events.cancel()
    const again = await resumedOn(onB, primed)
    expect(dataOf(await again.next())).toEqual(asked)
    await again.cancel()
    const resumed = await resumedOn(onB, last)
    expect(await statusOf(onB.post(answerTo(asked)))).toBe(202)
    expect((await resumed.rest()).map(dataOf)).toMatchObject([{ id: 1, result: answered }])
    expect((await (await resumedOn(onB, last)).rest()).map(dataOf)).toMatchObject([{ id: 1, result: answered }])
  })

  it('goes on with its GET stream on the other node', async () => {
    const events = eventsOf(await onA.get())
    const primed = await events.next()
    await events.cancel()
    const resumed = await resumedOn(onB, primed?.id ?? '')
    b.serving.notify.toolsChanged()
    expect(dataOf(await resumed.next())).toMatchObject({ method: 'notifications/tools/list_changed' })
    await resumed.cancel()
  })

  it('refuses an event id that nobody gave', async () => {
    const { events, last } = await asking(onA)
    const [stream] = last.split('-')
    const bad = [
      'nonsense',
      '1-1',
      last.replace(/-\d+/, '-99'),
      last.replace(`${stream}-`, '88-'),
      last.replace(a.id, 'x'.repeat(a.id.length)),
      last.replace(a.id, b.id),
    ]
    for (const id of bad)
      for (const session of [onA, onB]) expect(await statusOf(session.get({ 'last-event-id': id })), id).toBe(400)
    await events.cancel()
  })

  it('makes room for a stranger’s on any node, when it is a stranger’s', async () => {
    const identify = (request: Request) => request.headers.get('x-who') ?? undefined
    const options = { served: { identify }, maxSessions: 3, sessionLimits: { maxBytesInAll: 30_000 } }
    const [first, second] = [await httpNode(shared, options), await httpNode(shared, options)]
    const known = await openSession(first, '2025-11-25', { 'x-who': 'ana' })
    const oldest = await openSession(first)
    for (let count = 0; count < 3; count++) await openSession(second)
    expect(await statusOf(at(second, oldest).call('hello'))).toBe(404)
    await vi.waitFor(async () => expect(await statusOf(at(first, oldest).call('hello'))).toBe(404))
    for (const node of [first, second]) expect(await statusOf(at(node, known).call('hello'))).toBe(200)
    const clientInfo = { name: 'x'.repeat(6_000), version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const large = legacyPost({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    expect(await (await first.fetch(large)).json()).toMatchObject({
      error: { message: 'This is more than a session may keep' },
    })
  })

  it('lives on when one node lets go of its copy', async () => {
    const options = { sessionIdleMs: 600 }
    const [one, other] = [await httpNode(shared, options), await httpNode(shared, options)]
    const session = await openSession(other)
    await statusOf(at(one, session).call('hello'))
    const until = Date.now() + 1_500
    while (Date.now() < until) expect(await statusOf(session.call('hello'))).toBe(200)
    // It was there, then it was not, and it came again.
    expect(await statusOf(at(one, session).call('hello'))).toBe(200)
    expect(one.served.links).toHaveLength(2)
  })
})

import { describe, expect, it, type Mock, vi } from 'vitest'
import { littleServed } from '../../../test/little-served.js'
import { faces, openSession, type Raw, type RawSession, serve } from '../../../test/raw-http.js'
import type { HttpOptions } from '../options.js'

const identify = (request: Request): string | undefined => request.headers.get('authorization') ?? undefined
const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' }

function open(raw: Raw, principal?: string, version = '2025-11-25'): Promise<RawSession> {
  return openSession(raw, version, principal === undefined ? {} : { authorization: principal })
}

/** Calls that wait for a person: an event stream is open for each. */
async function wait(session: RawSession, count: number, from = 1): Promise<Response[]> {
  const ids = Array.from({ length: count }, (_, index) => index + from)
  return Promise.all(ids.map(id => session.call('ask', id)))
}

async function refusalOf(response: Promise<Response>): Promise<unknown> {
  const { status, headers, text } = await response.then(async got => ({
    status: got.status,
    headers: got.headers,
    text: await got.text(),
  }))
  return status < 400 ? status : { status, retryAfter: headers.get('retry-after'), ...JSON.parse(text) }
}

describe.each(faces)('requests of a session that wait, over %s', face => {
  const served = (options: HttpOptions = {}): Promise<Raw> => serve(face, littleServed({ identify }), options)

  it('are 100 at most without a principal, and room comes back with an answer', async () => {
    const session = await open(await served())
    const waiting = await wait(session, 100)
    expect(await refusalOf(session.call('ask', 'one more'))).toEqual({
      status: 429,
      retryAfter: '5',
      jsonrpc: '2.0',
      id: 'one more',
      error: { code: -32000, message: 'Too many requests of this session wait for an answer; try again later' },
    })
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
    expect(await refusalOf(session.post(cancel))).toBe(202)
    await waiting[6]?.text()
    expect(await refusalOf(session.post(ping))).toBe(200)
  })

  it('are still waiting when their connections broke', async () => {
    const session = await open(await served({ sessionLimits: { maxAnonymousRequests: 2 } }))
    for (const response of await wait(session, 2)) await response.body?.cancel()
    expect(await refusalOf(session.post(ping))).toMatchObject({ status: 429 })
  })

  it('are counted one by one in a batch', async () => {
    const raw = await served({ sessionLimits: { maxAnonymousRequests: 3 } })
    const session = await open(raw, undefined, '2025-03-26')
    const batch = (count: number) => Array.from({ length: count }, (_, id) => ({ ...ping, id }))
    expect(await refusalOf(session.post(batch(4)))).toMatchObject({ status: 429, id: null })
    expect(await refusalOf(session.post(batch(3)))).toBe(200)
    expect(await refusalOf(session.post(batch(3)))).toBe(200)
  })

  it('are more for a known caller, with a share for each principal', async () => {
    const limits = { maxRequests: 4, maxAnonymousRequests: 1, maxRequestsInAll: 12, principalShare: 0.5 }
    const raw = await served({ sessionLimits: limits })
    const [first, second, bob] = [await open(raw, 'ada'), await open(raw, 'ada'), await open(raw, 'bob')]
    await wait(first, 4)
    expect(await refusalOf(first.post(ping))).toMatchObject({ status: 429 })
    await wait(second, 2)
    expect(await refusalOf(second.post(ping))).toMatchObject({
      status: 429,
      error: { code: -32000, message: 'Too many requests of this caller wait for an answer; try again later' },
    })
    await wait(bob, 4)
    expect(await refusalOf((await open(raw, 'bob')).post(ping))).toBe(200)
  })

  it('of all anonymous sessions together leave room for known callers', async () => {
    const raw = await served({ sessionLimits: { maxRequestsInAll: 10, maxAnonymousRequests: 5, principalShare: 1 } })
    const [one, other, stranger] = [await open(raw), await open(raw), await open(raw)]
    for (const session of [one, other]) await wait(session, 5)
    await expect(open(raw)).rejects.toThrow('503')
    expect(await refusalOf(stranger.post(ping))).toMatchObject({
      status: 503,
      error: { code: -32000, message: 'Too many requests wait for an answer; try again later' },
    })
    const ada = await open(raw, 'ada')
    await wait(ada, 9)
    expect(await refusalOf(ada.post(ping))).toBe(200)
  })

  it('leave no session behind where an initialize found no room', async () => {
    const little = littleServed()
    const { connection } = little
    const closes: Mock[] = []
    const counting: typeof connection = link => {
      const made = connection(link)
      closes.push(vi.spyOn(made, 'close'))
      return made
    }
    const limits = { maxRequestsInAll: 2 }
    const raw = await serve(face, Object.assign(little, { connection: counting }), { sessionLimits: limits })
    await wait(await open(raw), 2)
    for (let count = 0; count < 3; count += 1) await expect(open(raw)).rejects.toThrow('requests wait')
    expect(closes.map(close => close.mock.calls.length)).toEqual([0, 1, 1, 1])
  })
})

// Over `fetch` alone, where the server knows at once that a client is gone.
it('ends an idle session when others need the room of its requests', async () => {
  const raw = await serve('fetch', littleServed(), { sessionLimits: { maxRequestsInAll: 10 } })
  const [left, used] = [await open(raw), await open(raw)]
  await wait(used, 4)
  for (const response of await wait(left, 6)) await response.body?.cancel()
  expect(await refusalOf(used.post(ping))).toBe(200)
  expect(await refusalOf(left.post(ping))).toMatchObject({ status: 404 })
  await wait(used, 6, 100)
  expect(await refusalOf(used.post(ping))).toMatchObject({ status: 503 })
})

import { describe, expect, it } from 'vitest'
import { eventsOf, faces, openSession, type RawSession, type SseEvent, serve } from '../../../test/raw-http.js'

const accept = (name: string) => ({ action: 'accept', content: { name } })
const dataOf = (event: SseEvent | undefined) => (event?.data ? JSON.parse(event.data) : undefined)

const callOf = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })

/** The messages of a response, whichever kind it is. */
async function messagesIn(response: Response): Promise<unknown[]> {
  if (response.headers.get('content-type') === 'application/json') return [await response.json()]
  return (await eventsOf(response).rest()).map(dataOf).filter(message => message !== undefined)
}

async function asked(session: RawSession, message: object) {
  const events = eventsOf(await session.post(message))
  let question = dataOf(await events.next())
  question ??= dataOf(await events.next())
  const answered = async () => (await events.rest()).map(dataOf)
  return { id: question.id, answered }
}

describe.each(faces)('a call of a 2025 session over %s', face => {
  it('tells nobody what broke in it', async () => {
    const raw = await serve(face)
    const [answer] = await messagesIn(await (await openSession(raw)).call('broken'))
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } })
    expect(raw.served.errors).toEqual([new Error('a secret')])
  })

  it('gets the answers to its own questions, whoever else asks', async () => {
    const session = await openSession(await serve(face))
    const open = [
      await asked(session, callOf(1, 'ask')),
      await asked(session, callOf(2, 'ask')),
      await asked(session, callOf(3, 'ask')),
    ]
    expect(new Set(open.map(({ id }) => id)).size).toBe(3)
    for (const [index, { id }] of [...open.entries()].reverse())
      await session.post({ jsonrpc: '2.0', id, result: accept(`person ${index}`) })
    for (const [index, { answered }] of open.entries()) {
      const text = expect.stringContaining(`person ${index}`)
      expect(await answered()).toMatchObject([{ id: index + 1, result: { content: [{ text }] } }])
    }
  })

  it('is not answered by what is no response, nor twice', async () => {
    const session = await openSession(await serve(face))
    const { id, answered } = await asked(session, callOf(1, 'ask'))
    for (const odd of [{ result: accept('Eve'), more: 1 }, { result: { ...accept('Eve'), _meta: 1 } }, { error: {} }])
      await session.post({ jsonrpc: '2.0', id, ...odd })
    await session.post({ jsonrpc: '2.0', id, result: { ...accept('Ada'), resultType: 'complete', _meta: {} } })
    expect((await session.post({ jsonrpc: '2.0', id, result: accept('Eve') })).status).toBe(202)
    const [{ result }] = await answered()
    expect(result.content[0].text).toBe(`hello ${JSON.stringify({ ...accept('Ada'), _meta: {} })}`)
  })

  it('logs from the level on that its client has set', async () => {
    const session = await openSession(await serve(face))
    const levels = async () =>
      (await messagesIn(await session.call('work'))).flatMap(message =>
        (message as { method?: string }).method === 'notifications/message'
          ? [(message as { params: { level: string } }).params.level]
          : [],
      )
    const setLevel = async (level: string) =>
      (await session.post({ jsonrpc: '2.0', id: 9, method: 'logging/setLevel', params: { level } })).json()
    expect(await levels()).toEqual(['debug', 'warning'])
    expect(await setLevel('info')).toMatchObject({ result: {} })
    expect(await levels()).toEqual(['warning'])
    expect(await setLevel('loud')).toMatchObject({ error: {} })
    expect(await levels()).toEqual(['warning'])
    expect(await setLevel('emergency')).toMatchObject({ result: {} })
    expect(await levels()).toEqual([])
  })

  it('may have the id of one that was cancelled and still runs', async () => {
    const raw = await serve(face)
    const session = await openSession(raw)
    const began = raw.served.began('hold')
    const first = session.call('hold', 5)
    await began
    await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
    await (await first).text()
    const aborted = raw.served.aborted('wait')
    const waits = raw.served.began('wait')
    const second = session.call('wait', 5)
    await waits
    raw.served.release()
    await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5, reason: 'late' } })
    expect((await aborted).signal.reason).toBe('late')
    expect(dataOf((await eventsOf(await second).rest()).find(({ data }) => data))).toBeUndefined()
  })
})

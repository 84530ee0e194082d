import { describe, expect, it } from 'vitest'
import { createServer } from '../server/create-server.js'
import { memoryStore } from '../store/memory-store.js'
import { createTestClient } from '../test/index.js'

const text = (result: { content: { text?: string }[] } | undefined) => result?.content[0]?.text

function remembering(store = memoryStore()) {
  const server = createServer({ name: 's', version: '1.0.0', store })
  server.tool('count', {}, async (_input, ctx) => {
    const places = [ctx.session, ctx.userStore, ctx.store]
    const counts: number[] = []
    for (const place of places) {
      const count = ((await place.get<number>('count')) ?? 0) + 1
      await place.set('count', count)
      counts.push(count)
    }
    return counts.join()
  })
  server.tool('who', {}, (_input, ctx) => ctx.sessionId)
  return server
}

describe.each(['push', 'rounds', 'tasks'] as const)('values on %s', wire => {
  it('are of the caller, of the same person and of the server, and none is another', async () => {
    const server = remembering()
    const [ann, bob] = ['ann', 'bob'].map(principal => createTestClient(server, { wire, principal }))
    expect(text(await ann?.callTool('count'))).toBe('1,1,1')
    expect(text(await ann?.callTool('count'))).toBe('2,2,2')
    expect(text(await bob?.callTool('count'))).toBe('1,1,3')
    await server.session(text(await ann?.callTool('who')) ?? '').delete('count')
    expect(text(await ann?.callTool('count'))).toBe('1,3,4')
  })

  it('follow a person from one connection to the next, and nobody who is not identified', async () => {
    const server = remembering()
    const connect = (principal?: string) => createTestClient(server, { wire, ...(principal && { principal }) })
    expect(text(await connect('ann').callTool('count'))).toBe('1,1,1')
    expect(text(await connect('ann').callTool('count'))).toBe('2,2,2')
    const nobody = connect()
    expect(text(await nobody.callTool('count'))).toBe('1,1,3')
    expect(text(await nobody.callTool('count'))).toBe('2,2,4')
    expect(text(await connect().callTool('count'))).toBe('1,1,5')
  })
})

describe('a session', () => {
  it('is the same in every process that shares the store', async () => {
    const store = memoryStore()
    const [here, there] = [remembering(store), remembering(store)]
    const id = text(await createTestClient(here, { principal: 'ann' }).callTool('who')) ?? ''
    expect(text(await createTestClient(there, { principal: 'ann' }).callTool('who'))).toBe(id)
    await here.session(id).set('cart', ['book'])
    await here.session(id).authorize('staff')
    expect(await there.session(id).get('cart')).toEqual(['book'])
    expect(await there.session(id).isAuthorized('staff')).toBe(true)
  })

  it('has an id that says nothing of who it is', async () => {
    const id = text(await createTestClient(remembering(), { principal: 'ann@example.com' }).callTool('who'))
    expect(id).toMatch(/^[\w-]{43}$/)
    expect(id).not.toContain('ann')
  })

  it('keeps authorizations and values apart, whatever they are called', async () => {
    const session = createServer({ name: 's', version: '1.0.0' }).session('someone')
    await session.set('staff', true)
    await session.set('authorized/staff', true)
    expect(await session.isAuthorized('staff')).toBe(false)
    await session.authorize('__proto__')
    expect(await session.isAuthorized('__proto__')).toBe(true)
    expect(await session.get('__proto__')).toBeUndefined()
  })

  it('refuses what has no JSON', async () => {
    const session = createServer({ name: 's', version: '1.0.0' }).session('someone')
    for (const value of [undefined, () => {}, 1n]) await expect(session.set('a', value)).rejects.toThrow(TypeError)
    await session.set('a', null)
    expect(await session.get('a')).toBeNull()
  })

  it('takes effect in the order of the calls, awaited or not', async () => {
    const session = createServer({ name: 's', version: '1.0.0' }).session('someone')
    const calls = [session.authorize('a'), session.revoke('a'), session.authorize('b'), session.revoke('c')]
    await Promise.all(calls)
    expect([await session.isAuthorized('a'), await session.isAuthorized('b')]).toEqual([false, true])
  })
})

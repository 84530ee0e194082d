import { describe, expect, it } from 'vitest'
import { createServer } from '../../server/create-server.js'
import { createTestClient, type TestClient } from '../../test/index.js'
import { guard } from './guard.js'

const names = async (client: TestClient) => (await client.listTools()).map(({ name }) => name)

function shop() {
  const server = createServer({ name: 's', version: '1.0.0' })
  server.tool('orders', guard(), {}, () => 'orders')
  server.tool(
    'secret',
    guard({ name: 'staff', key: 'staff', hidden: true, message: 'Staff only.' }),
    {},
    () => 'secret',
  )
  server.tool('sign_in', {}, async (_input, ctx) => {
    await ctx.session.set('user', { name: 'Ann' })
    return 'in'
  })
  server.tool('promote', {}, async (_input, ctx) => {
    await ctx.session.authorize('staff')
    return 'in'
  })
  server.tool('demote', {}, async (_input, ctx) => {
    await ctx.session.revoke('staff')
    return 'out'
  })
  return server
}

describe.each(['push', 'rounds', 'tasks'] as const)('guard on %s', wire => {
  it('lets a call pass once the session has the value, and nobody else’s', async () => {
    const server = shop()
    const ann = createTestClient(server, { wire, principal: 'ann' })
    const bob = createTestClient(server, { wire, principal: 'bob' })
    expect(await names(ann)).toContain('orders')
    expect(await ann.callTool('orders')).toMatchObject({ isError: true })
    await ann.callTool('sign_in')
    expect(await ann.callTool('orders')).toMatchObject({ content: [{ text: 'orders' }] })
    expect(await bob.callTool('orders')).toMatchObject({ isError: true })
  })

  it('hides until authorized, refuses the hidden all the same, and both again after revoke', async () => {
    const client = createTestClient(shop(), { wire, principal: 'ann' })
    expect(await names(client)).not.toContain('secret')
    expect(await client.callTool('secret')).toMatchObject({ isError: true, content: [{ text: 'Staff only.' }] })
    await client.callTool('promote')
    expect(await names(client)).toContain('secret')
    expect(await client.callTool('secret')).toMatchObject({ content: [{ text: 'secret' }] })
    await client.callTool('demote')
    expect(await names(client)).not.toContain('secret')
    expect(await client.callTool('secret')).toMatchObject({ isError: true })
  })
})

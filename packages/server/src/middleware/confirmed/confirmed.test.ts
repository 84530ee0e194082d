import { describe, expect, it } from 'vitest'
import { createServer } from '../../server/create-server.js'
import { createTestClient } from '../../test/index.js'
import { confirmed } from './confirmed.js'

describe('confirmed', () => {
  it.each(['push', 'rounds', 'tasks'] as const)('lets a call pass on an explicit yes only, on %s', async wire => {
    let runs = 0
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('clear', confirmed('Remove all?'), { task: 'optional' }, async () => {
      runs++
      return 'removed'
    })
    const client = createTestClient(server, { wire, answer: [true, false] })
    expect(await client.callTool('clear')).toMatchObject({ content: [{ text: 'removed' }] })
    expect(await client.callTool('clear')).toMatchObject({ isError: true })
    expect(runs).toBe(1)
    expect(client.asked.map(({ message }) => message)).toEqual(['Remove all?', 'Remove all?'])
  })

  it('tells the model why the person declined', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('clear', confirmed('Remove all?'), {}, () => 'removed')
    const client = createTestClient(server, { answer: [{ action: 'decline', reason: 'Not on a Friday.' }] })
    expect((await client.callTool('clear')).content[0]?.text).toContain('They said: "Not on a Friday."')
  })

  it('words the question by the call', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool(
      'drop',
      confirmed(({ subject }) => `Run ${subject.name} with ${JSON.stringify(subject.input)}?`),
      {},
      () => 'ok',
    )
    const client = createTestClient(server, { answer: [true] })
    await client.callTool('drop', { table: 'todos' })
    expect(client.asked[0]?.message).toBe('Run drop with {"table":"todos"}?')
  })

  it('refuses where nobody can be asked', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('clear', confirmed('Remove all?'), {}, () => 'removed')
    server.prompt('p', confirmed('Sure?'), {}, () => 'p')
    const client = createTestClient(server, { capabilities: {} })
    expect(await client.callTool('clear')).toMatchObject({ isError: true })
    await expect(client.getPrompt('p')).rejects.toMatchObject({ code: -32603 })
  })
})

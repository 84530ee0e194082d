// Clients that say yes with nobody there, to a tool that can destroy something.

import { onTestFinished } from 'vitest'
import { createServer, type ServerOptions } from '../../src/index.js'
import { memoryStore } from '../../src/store/index.js'
import { createTestClient, createTestClock, createTestDesk, type TestWire } from '../../src/test/index.js'
import type { Family } from './attack.js'

/** What a client got that answers everything by itself, after so long, and whether the tool did anything. */
async function answeredBy(wire: TestWire, action: string, options: Partial<ServerOptions> = {}): Promise<string> {
  const clock = createTestClock()
  const server = createServer({ name: 'shop', version: '1.0.0', ...options })
  let effects = 0
  server.tool('drop', { annotations: { destructive: true }, task: 'optional' }, async (_input, ctx) => {
    const { action: said, why } = await ctx.confirm.outcome('Drop the table?')
    if (said === 'accept') effects++
    return `${said}, ${why}`
  })
  const client = createTestClient(server, {
    wire,
    clock,
    answersItself: true,
    answer: async () => {
      await clock.advance(25)
      return action
    },
  })
  try {
    const { content } = await client.callTool('drop')
    if (effects > 0) throw new Error('The table is gone.')
    return content[0]?.text ?? ''
  } finally {
    await client.close()
    await server.close()
  }
}

async function onEveryWire(action: string): Promise<string> {
  const got = new Set<string>()
  for (const wire of ['push', 'rounds', 'tasks'] as const) got.add(await answeredBy(wire, action))
  return [...got].join('; ')
}

export const phantoms: Family = {
  family: 'A client with nobody there',
  attacks: [
    {
      attack: 'accepts by itself within 25 ms, pushed, in rounds and in a task',
      run: () => onEveryWire('accept'),
    },
    {
      attack: 'accepts the shortest question within 75 ms, at another node than the one that asked',
      async run() {
        const clock = createTestClock()
        const store = { ...memoryStore({ clock }), shared: true }
        const nodes = ['one', 'other'].map(() => {
          const node = createServer({ name: 'shop', version: '1.0.0', store, clock, keys: 'k'.repeat(32) })
          onTestFinished(() => node.close())
          node.tool('drop', { annotations: { destructive: true } }, async (_input, ctx) =>
            ctx.json(await ctx.confirm.outcome('?')),
          )
          return createTestClient(node, { wire: 'rounds', principal: 'alice', answersItself: true })
        })
        const call = { name: 'drop', arguments: {} }
        const begun = await nodes[0]?.request('tools/call', call)
        await clock.advance(75)
        const [id = ''] = Object.keys((begun?.inputRequests as object | undefined) ?? {})
        const answered = {
          requestState: begun?.requestState,
          inputResponses: { [id]: { action: 'accept', content: {} } },
        }
        const { structuredContent } = (await nodes[1]?.request('tools/call', { ...call, ...answered })) ?? {}
        const { action, why } = structuredContent as Record<string, string>
        if (action === 'accept') throw new Error('The table is gone.')
        return `${action}, ${why}`
      },
    },
    {
      attack: 'declines by itself, so that a person is never asked',
      async run() {
        const desk = createTestDesk()
        const told = answeredBy('rounds', 'decline', { desk, wait: 'hold' })
        while (desk.asked.length === 0) await new Promise(resolve => setImmediate(resolve))
        await desk.person('alice').answer('Drop the table?', 'cancel')
        // As she said it, and not as the client did.
        if ((await told) !== 'cancel, undefined') throw new Error(await told)
        return 'the person is asked on the desk, and what they say counts'
      },
    },
    {
      attack: "has the model answer in place of a person, for an ask with `person: 'present'`",
      async run() {
        const server = createServer({ name: 'shop', version: '1.0.0', fallback: 'relay' })
        server.tool('drop', {}, async (_input, ctx) =>
          ctx.json(await ctx.confirm.outcome({ question: 'Drop?', fallback: 'relay', person: 'present' })),
        )
        const client = createTestClient(server, { capabilities: {} })
        const { structuredContent } = await client.callTool('drop')
        await client.close()
        await server.close()
        return JSON.stringify(structuredContent)
      },
    },
  ],
}

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { type AskDesk, deskAnsweredBy } from '../desk-double.js'
import { connect, serve, textOf } from './opened.js'
import { Visitor } from './visitor.js'

/** A desk with one person at it, who opens every page that they are sent to. */
function deskOf(open: (url: string) => Promise<unknown>): AskDesk {
  return deskAnsweredBy(async ({ url }) => {
    if (url !== undefined) await open(url)
    return { action: 'accept', content: {} }
  })
}

describe('a page for someone at the desk', () => {
  it.each(['push', 'rounds'] as const)('is opened from there, for a client on %s that cannot ask', async wire => {
    const server = serve({
      desk: deskOf(url => new Visitor().submit(url, { 'field-username': 'ada', 'field-password': 'correct horse' })),
    })
    const login = credentials({
      message: 'Sign in.',
      schema: z.object({ username: z.string(), password: z.string() }),
      verify: ({ username }) => ({ id: username }),
    })
    server.tool('stock', login, {}, async (_input, ctx) => ctx.json(await ctx.session.get('credentials')))
    const client = connect(server, { wire, capabilities: {}, principal: 'alice', answer: [] })
    expect(textOf(await client.callTool('stock'))).toBe('{"id":"ada"}')
    expect(textOf(await client.callTool('stock'))).toBe('{"id":"ada"}')
  })
})

// What the page on elicitation that shows the official TypeScript SDK and fastmcp claims: its canonical pattern, three states
// and shorthands.
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, connect, serve } from '../../packages/server/test/sdk-serving.js'
import { fallback, officialServer } from './documents/official-sdk.js'
import { transports } from './official-client.js'
import { clientWires, on, wires } from './story.js'

const said = (text: string) => ({ content: [{ type: 'text', text }] })

on(
  'officialSdk',
  [...wires, ...transports],
  'the canonical pattern reaches whoever can be asked',
  async ({ client }) => {
    const { callTool } = client({ confirm: true }, { confirm: false }, 'decline', 'cancel')
    expect(await callTool('delete_all')).toMatchObject(said('Deleted.'))
    for (let more = 0; more < 3; more++) expect(await callTool('delete_all')).toMatchObject(said('Cancelled.'))
  },
)

on(
  'officialSdk',
  [...clientWires, ...transports],
  'the canonical pattern falls back to a text where nobody can be asked',
  async ({ mute }) => {
    expect(await mute().callTool('delete_all')).toMatchObject(said(fallback))
  },
)

on('officialSdk', ['desk'], 'what the client declares is still what the client declares', async ({ client }) => {
  expect(await client().callTool('by_client')).toMatchObject(said(fallback))
})

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])(
  'the canonical pattern on the official server, %s',
  version => {
    afterEach(closeAll)

    it.each(['memory', 'http'] as const)('asks, and falls back where nobody can be asked, over %s', async over => {
      const serving = await serve(officialServer, over)
      const answers = [true, false].map(confirm => ({ action: 'accept', content: { confirm } }) as const)
      const client = await connect(serving, version, { answer: () => answers.shift() ?? { action: 'decline' } })
      const call = { name: 'delete_all', arguments: {} }
      expect(await client.callTool(call)).toMatchObject(said('Deleted.'))
      for (let more = 0; more < 2; more++) expect(await client.callTool(call)).toMatchObject(said('Cancelled.'))
      const mute = await connect(serving, version, { capabilities: {} })
      expect(await mute.callTool(call)).toMatchObject(said(fallback))
    })
  },
)

on('officialSdk', clientWires, 'a requestedSchema that is not an object is -32602', async ({ server, client }) => {
  server.tool('t', {}, async (_, ctx) => {
    const error: unknown = await ctx
      .elicitInput({ message: 'Name?', requestedSchema: { type: 'string' } as never })
      .catch(caught => caught)
    return { code: (error as { code?: number }).code ?? null }
  })
  expect(await client({ value: 'x' }).callTool('t')).toMatchObject({ structuredContent: { code: -32602 } })
})

on(
  'officialSdk',
  [...wires, ...transports],
  'the three states are told apart, with content on accept',
  async ({ client }) => {
    const { callTool } = client({ name: 'Ada' }, 'decline', 'cancel')
    expect((await callTool('who')).structuredContent).toEqual({ action: 'accept', content: { name: 'Ada' } })
    expect((await callTool('who')).structuredContent).toEqual({ action: 'decline' })
    expect((await callTool('who')).structuredContent).toEqual({ action: 'cancel' })
  },
)

on('fastmcp', [...wires, ...transports], 'delete_all deletes what the person agrees to', async ({ client }) => {
  const { callTool } = client({ value: true }, { value: false }, 'decline', 'cancel')
  expect(await callTool('delete_all')).toMatchObject(said('Deleted.'))
  for (let more = 0; more < 3; more++) expect(await callTool('delete_all')).toMatchObject(said('Cancelled.'))
})

on(
  'fastmcp',
  [...clientWires, ...transports],
  'delete_all says what to do where nobody can be asked',
  async ({ mute }) => {
    const retry = 'Confirmation required. Ask the user to confirm deletion, then retry.'
    expect(await mute().callTool('delete_all')).toMatchObject(said(retry))
  },
)

on('fastmcp', [...wires, ...transports], 'the shorthands are those of elicit.form', async ({ client }) => {
  const contact = { name: 'Ada', email: 'ada@example.com' }
  const { callTool } = client('green', 'ada@example.com', { value: true }, contact)
  expect((await callTool('shorthands')).structuredContent).toEqual({
    said: ['green', 'ada@example.com', true, contact],
  })
})

on('fastmcp', clientWires, 'elicit by position says what to write instead', async ({ server, client }) => {
  server.tool('t', {}, async (_, ctx) => {
    const error: unknown = await ctx.elicit('Delete all items?' as never).catch(caught => caught)
    return error instanceof TypeError ? error.message : 'asked'
  })
  const asking = client(true)
  expect((await asking.callTool('t')).content[0]?.text).toContain('ctx.elicit.form(message, schema)')
  expect(asking.asked).toEqual([])
})

on(
  'officialSdk',
  clientWires,
  'a form never asks for a password, an API key or a token',
  async ({ server, client }) => {
    server.tool('t', {}, async (_, ctx) => {
      const codes: (number | undefined)[] = []
      for (const name of ['password', 'apiKey', 'accessToken']) {
        const schema = { type: 'object', properties: { [name]: { type: 'string' } } } as const
        const error: unknown = await ctx.elicit({ question: 'Sign in', schema }).catch(caught => caught)
        codes.push((error as { code?: number }).code)
      }
      return { codes }
    })
    expect((await client('accept').callTool('t')).structuredContent).toEqual({ codes: [-32602, -32602, -32602] })
  },
)

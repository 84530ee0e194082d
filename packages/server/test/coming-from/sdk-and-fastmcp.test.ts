// The page on elicitation that shows the official TypeScript SDK and fastmcp: its canonical pattern, three states and shorthands.
import { expect } from 'vitest'
import { z } from 'zod'
import type { BeckonServer } from '../../src/index.js'
import { clientWires, on, wires } from './wires.js'

const fallback =
  "Confirmation required. Please ask the user: 'Delete all items? This cannot be undone.' Then call this tool again with their answer."

/** The canonical pattern. What stands in for `server.getClientCapabilities()` is the one thing that differs. */
function deleteAll(server: BeckonServer, look: 'canAsk' | 'agentCapabilities'): { readonly deleted: number } {
  const state = { deleted: 0 }
  server.tool(
    'delete_all',
    { description: 'Delete all items after confirmation', task: 'optional' },
    async (_, ctx) => {
      const canAsk = look === 'canAsk' ? ctx.canAsk.form : ctx.agentCapabilities.elicitation?.form
      if (canAsk) {
        const r = await ctx.elicitInput({
          mode: 'form',
          message: 'Delete all items? This cannot be undone.',
          requestedSchema: {
            type: 'object',
            properties: { confirm: { type: 'boolean', title: 'Confirm deletion' } },
            required: ['confirm'],
          },
        })
        if (r.action === 'accept' && r.content?.confirm) {
          state.deleted++
          return { content: [{ type: 'text', text: 'Deleted.' }] }
        }
        return { content: [{ type: 'text', text: 'Cancelled.' }] }
      }
      return { content: [{ type: 'text', text: fallback }] }
    },
  )
  return state
}

on(wires, 'the canonical pattern reaches whoever can be asked', async ({ server, client }) => {
  const state = deleteAll(server, 'canAsk')
  const { callTool } = client({ confirm: true }, { confirm: false }, 'decline', 'cancel')
  expect(await callTool('delete_all')).toEqual({ content: [{ type: 'text', text: 'Deleted.' }] })
  for (let more = 0; more < 3; more++)
    expect(await callTool('delete_all')).toEqual({ content: [{ type: 'text', text: 'Cancelled.' }] })
  expect(state.deleted).toBe(1)
})

on(clientWires, 'the canonical pattern falls back to a text where nobody can be asked', async story => {
  deleteAll(story.server, 'canAsk')
  expect(await story.mute().callTool('delete_all')).toEqual({ content: [{ type: 'text', text: fallback }] })
})

on(['desk'], 'what the client declares is still what the client declares', async ({ server, client }) => {
  deleteAll(server, 'agentCapabilities')
  expect(await client().callTool('delete_all')).toEqual({ content: [{ type: 'text', text: fallback }] })
})

on(clientWires, 'a requestedSchema that is not an object is -32602', async ({ server, client }) => {
  server.tool('t', {}, async (_, ctx) => {
    const error: unknown = await ctx
      .elicitInput({ message: 'Name?', requestedSchema: { type: 'string' } as never })
      .catch(caught => caught)
    return { code: (error as { code?: number }).code ?? null }
  })
  expect(await client({ value: 'x' }).callTool('t')).toMatchObject({ structuredContent: { code: -32602 } })
})

on(wires, 'the three states are told apart, and content is there on accept', async ({ server, client }) => {
  server.tool('t', { task: 'optional' }, async (_, ctx) => {
    const r = await ctx.elicitInput({
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    })
    return { ...r }
  })
  const { callTool } = client({ name: 'Ada' }, 'decline', 'cancel')
  expect((await callTool('t')).structuredContent).toEqual({ action: 'accept', content: { name: 'Ada' } })
  expect((await callTool('t')).structuredContent).toEqual({ action: 'decline' })
  expect((await callTool('t')).structuredContent).toEqual({ action: 'cancel' })
})

on(wires, 'the shorthands of fastmcp are those of elicit.form', async ({ server, client }) => {
  server.tool('t', { task: 'optional' }, async (_, ctx) => {
    const color = await ctx.elicit.form('Pick a color', ['red', 'green', 'blue']) // enum
    const email = await ctx.elicit.form('Enter email', String) // string
    const sure = await ctx.elicit.form('Confirm?', Boolean) // boolean
    const contact = await ctx.elicit.form('Contact details', z.object({ name: z.string(), email: z.string() }))
    const outcomes = [color, email, sure, contact]
    return { said: outcomes.map(outcome => (outcome.action === 'accept' ? outcome.content : outcome.action)) }
  })
  const contact = { name: 'Ada', email: 'ada@example.com' }
  const { callTool } = client('green', 'ada@example.com', { value: true }, contact)
  expect((await callTool('t')).structuredContent).toEqual({ said: ['green', 'ada@example.com', true, contact] })
})

on(clientWires, 'elicit by position says what to write instead', async ({ server, client }) => {
  server.tool('t', {}, async (_, ctx) => {
    const error: unknown = await ctx.elicit('Delete all items?' as never).catch(caught => caught)
    return error instanceof TypeError ? error.message : 'asked'
  })
  const asking = client(true)
  expect((await asking.callTool('t')).content[0]?.text).toContain('ctx.elicit.form(message, schema)')
  expect(asking.asked).toEqual([])
})

on(clientWires, 'a form never asks for a password, an API key or a token', async ({ server, client }) => {
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
})

// From an agent's call to its result, through a real MCP server, a real desk and a real browser.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hasBrowser, patienceMs, Rig } from './rig.js'

const rig = new Rig()
const open: { close(): Promise<void> }[] = []

function travelServer(): ReturnType<Rig['newServer']> {
  const server = rig.newServer('travel')
  open.push(server)
  const input = z.object({ city: z.string(), nights: z.number() })
  server.tool('book', { input }, async ({ city, nights }, ctx) => {
    const room = await ctx.elicit({
      question: `Which room in ${city}?`,
      schema: z.object({ beds: z.number().int().min(1).max(4), view: z.enum(['sea', 'street']) }),
    })
    const isSure = await ctx.confirm(`Book ${nights} nights?`)
    return ctx.json({ ...room, isSure })
  })
  return server
}

describe.skipIf(!hasBrowser)('a tool call of a client that cannot ask', { timeout: 4 * patienceMs }, () => {
  rig.attend()
  // What was opened last is closed first, and the desk after it.
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close()
  }, patienceMs)

  it.each(['2025', '2026'] as const)('is answered in the inbox, and its result has it (%s)', async era => {
    const { url } = await travelServer().listen({ port: 0 })
    const mode = era === '2025' ? ('legacy' as const) : { pin: '2026-07-28' as const }
    const agent = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode }, capabilities: {} })
    open.push(agent)
    await agent.connect(new StreamableHTTPClientTransport(new URL(url)))
    const ana = await rig.visit('ana')
    const result = agent.callTool(
      { name: 'book', arguments: { city: 'Lisbon', nights: 3 } },
      { timeout: 4 * patienceMs },
    )

    const ask = await ana.open('Which room in Lisbon?')
    expect(await ask.locator('h2').textContent()).toMatch(/travel\s*book/)
    expect(await ask.locator('details dl').innerText()).toMatch(/^city\s+Lisbon\s+nights\s+3$/)
    await ana.question('beds').locator('#control').fill('2')
    await ana.question('view').getByLabel('sea').check()
    await ana.press('Send answer')
    await ana.open('Book 3 nights?')
    await ana.press('Accept')
    expect(await result).toMatchObject({ structuredContent: { beds: 2, view: 'sea', isSure: true } })
    await ana.outcome().getByText('Accepted by you').waitFor()
  })

  it('is shown with the warning that its tool has', async () => {
    const server = rig.newServer('disk')
    open.push(server)
    server.tool('wipe', { annotations: { destructive: true } }, async (_input, ctx) =>
      (await ctx.confirm('Wipe it?')) ? 'Wiped.' : 'Kept.',
    )
    const { url } = await server.listen({ port: 0 })
    const agent = new Client({ name: 'agent', version: '1.0.0' }, { capabilities: {} })
    open.push(agent)
    await agent.connect(new StreamableHTTPClientTransport(new URL(url)))
    const ana = await rig.visit('ana')
    const result = agent.callTool({ name: 'wipe' }, { timeout: 4 * patienceMs })
    const ask = await ana.open('Wipe it?')
    await ask.getByText('This tool can delete or overwrite things.').waitFor()
    await ana.press('Decline')
    expect(await result).toMatchObject({ content: [{ text: 'Kept.' }] })
  })
})

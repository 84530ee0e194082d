// What someone could try who is on this machine, on the network, or in an application that was claimed for something else.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGateway } from '@beckon/gateway'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectApp } from './raw-app.js'
import { agentOn, claimedApp, listeningApp, startGateway, temporaryHome } from './setup.js'

const work = { name: 'work', run: () => 'done' }

describe('claim codes', () => {
  it('cannot be guessed by many guesses at once', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const codes = Array.from('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', last => `ZZZZ-Z${last}`)
    const told = await Promise.all(codes.map(code => agent.call('tesseron__claim_session', { code })))
    expect(told.filter(text => text.includes('No application waits'))).toHaveLength(5)
    expect(told.filter(text => text.includes('Too many wrong codes'))).toHaveLength(codes.length - 5)
  })
})

describe('a gateway that tells people apart', () => {
  it('serves nobody without a name, not even what was claimed when it did not', async () => {
    const home = temporaryHome()
    const before = await startGateway({ home })
    await claimedApp(before.url, await agentOn(before.url, '2026-07-28'), { actions: [work] })
    await before.gateway.close()
    const server = { identify: ({ headers }: Request) => headers.get('x-user') ?? undefined }
    const { url } = await startGateway({ home, server })
    const list = (headers: Record<string, string>) =>
      fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
        }),
      })
    expect((await list({})).status).toBe(401)
    expect((await list({ 'x-user': 'ada' })).status).toBe(200)
  })
})

describe('an application that was claimed', () => {
  it('cannot become another, nor take the place of one, by saying hello again', async () => {
    const { url, home } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    await claimedApp(url, agent, { id: 'shop', actions: [work] })
    const notes = await listeningApp(home, { id: 'notes', name: 'Notes', actions: [work] })
    await agent.call('tesseron__claim_session', { code: notes.code })
    const connection = await notes.connection()
    const evil = { ...connection.helloParams(), app: { id: 'shop', name: 'Shop' } }
    const { error } = await connection.request('tesseron/hello', evil)
    expect(error?.message).toContain('"notes"')
    expect(await agent.call('shop__work')).toBe('done')
    expect(await agent.call('notes__work')).toBe('done')
  })

  it('cannot keep the gateway busy with a pattern that takes years to match', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const outputSchema = { type: 'object', properties: { x: { type: 'string', pattern: '^(a+)+$' } } }
    const run = () => ({ x: `${'a'.repeat(64)}!` })
    await claimedApp(url, agent, { actions: [{ name: 'spin', outputSchema, run }] })
    expect(await agent.call('todo__spin')).toContain('aaaa')
  })

  it('cannot end the gateway with a name that no address can hold', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, '2026-07-28')
    const app = await claimedApp(url, agent, { actions: [work], resources: [{ name: 'fine' }] })
    app.notify('resources/list_changed', { resources: [{ name: '\ud800' }] })
    expect(await agent.call('todo__work')).toBe('done')
    app.hangUp()
    expect(await agent.call('tesseron__list_actions')).toContain('fine')
  })
})

describe('the path for applications', () => {
  it.each([{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }])(
    'is not for those whom a proxy on this machine lets in: %j',
    async headers => {
      const server = { publicUrl: 'https://tools.example', identify: () => 'ada' }
      const { url } = await startGateway({ server })
      await expect(connectApp(url, {}, { headers: { host: 'tools.example', ...headers } })).rejects.toThrow('403')
    },
  )
})

it('writes nothing to a terminal that could command it', async () => {
  const written: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    written.push(String(text))
    return true
  })
  onTestFinished(() => spy.mockRestore())
  const home = temporaryHome()
  const folder = join(home, '.tesseron', 'instances')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'a\u001b]0;owned\u0007\n\u009b2J.json'), '{}')
  const gateway = createGateway({ home })
  onTestFinished(() => gateway.close())
  await gateway.apps()
  expect(written.join('')).toMatch(/^beckon gateway: The manifest a.*does not count[^\n]*\n$/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
  expect(written.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})

import { createGateway } from '@beckon/gateway'
import { InMemoryTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import { allEras, connectAgent } from './clients.js'
import { listeningApp, temporaryHome } from './setup.js'

it.each(allEras)('asks over one connection, as a client of %s starts it', async era => {
  const home = temporaryHome()
  const gateway = createGateway({ home, log: () => {} })
  onTestFinished(() => gateway.close())
  const app = await listeningApp(home, {
    actions: [{ name: 'confirm', run: async ({ ask }) => (await ask('Sure?')).result }],
  })
  const [here, there] = InMemoryTransport.createLinkedPair()
  gateway.stdio({ transport: there })
  const agent = await connectAgent(here, era, { answer: () => ({ action: 'accept', content: {} }) })
  onTestFinished(() => agent.close())
  expect(await agent.call('tesseron__claim_session', { code: app.code })).toContain('"app_id":"todo"')
  expect(await agent.call('todo__confirm')).toBe('{"action":"accept"}')
})

it('reminds a host, which may have forgotten, of what its agent can do before every invocation', async () => {
  const home = temporaryHome()
  const gateway = createGateway({ home, log: () => {} })
  onTestFinished(() => gateway.close())
  const app = await listeningApp(home, { actions: [{ name: 'work', run: () => 'done' }] })
  const [here, there] = InMemoryTransport.createLinkedPair()
  gateway.stdio({ transport: there })
  const agent = await connectAgent(here, '2025-11-25', { answer: () => ({ action: 'accept', content: {} }) })
  onTestFinished(() => agent.close())
  await agent.call('tesseron__claim_session', { code: app.code })
  await agent.call('todo__work')
  await agent.call('todo__work')
  const { frames } = await app.connection()
  expect(frames.all.flatMap(({ method }) => method ?? [])).toEqual([
    'tesseron/claimed',
    'tesseron/claimed',
    'actions/invoke',
    'tesseron/claimed',
    'actions/invoke',
  ])
})

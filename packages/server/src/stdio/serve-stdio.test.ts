import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { littleServed } from '../../test/little-served.js'
import { serveStdio } from './serve-stdio.js'

async function connect(version: string) {
  const served = littleServed()
  const [near, far] = InMemoryTransport.createLinkedPair()
  const serving = serveStdio(served, { transport: far })
  const isModern = version === '2026-07-28'
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: isModern ? { pin: version } : 'legacy' },
      ...(!isModern && { supportedProtocolVersions: [version] }),
    },
  )
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada' } }))
  await client.connect(near)
  return { served, serving, client }
}

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('one connection on %s', version => {
  const isModern = version === '2026-07-28'

  it('answers an ask', async () => {
    const { client, served, serving } = await connect(version)
    expect(JSON.stringify(await client.callTool({ name: 'ask' }))).toContain('Ada')
    expect(served.seen.at(-1)).toMatchObject({
      revision: version,
      capabilities: { elicitation: { form: {} } },
      client: { name: 'test' },
    })
    const { sessionId } = served.seen.at(-1) ?? {}
    expect(sessionId).toMatch(/^[0-9a-f-]{36}$/)
    await client.callTool({ name: 'hello' })
    expect(served.seen.at(-1)?.sessionId).toBe(sessionId)
    expect(served.links.at(-1)).toMatchObject({
      codec: { hasSessions: !isModern },
      transport: 'stdio',
      principal: undefined,
    })
    await serving.close()
  })

  it('stays what it was opened as when a request has more in its _meta', async () => {
    const { client, served, serving } = await connect(version)
    const _meta = { 'io.modelcontextprotocol/logLevel': 'info', 'example.com/more': { a: [1] } }
    expect(JSON.stringify(await client.callTool({ name: 'ask', _meta }))).toContain('Ada')
    expect(served.seen.at(-1)).toMatchObject({ revision: version, capabilities: { elicitation: { form: {} } } })
    await serving.close()
  })

  it('cancels a call, and aborts those that run when it closes', async () => {
    const { client, served, serving } = await connect(version)
    const began = served.began('wait')
    const aborted = served.aborted('wait')
    const aborter = new AbortController()
    const call = client.callTool({ name: 'wait' }, { signal: aborter.signal })
    await began
    aborter.abort('enough')
    await expect(call).rejects.toThrow()
    await aborted

    const beganAgain = served.began('wait')
    const abortedAgain = served.aborted('wait')
    const again = client.callTool({ name: 'wait' })
    again.catch(() => {})
    await beganAgain
    await client.close()
    await abortedAgain
    await serving.closed
  })

  it('tells of changes', async () => {
    const { client, serving } = await connect(version)
    const got: string[] = []
    const all = new Promise<void>(resolve => {
      const note = (what: string) => () => void (got.push(what) === 3 && resolve())
      client.setNotificationHandler('notifications/tools/list_changed', note('tools'))
      client.setNotificationHandler('notifications/prompts/list_changed', note('prompts'))
      client.setNotificationHandler('notifications/resources/updated', note('resource'))
    })
    serving.notify.resourceUpdated('note://a')
    if (isModern) {
      await client.listen({ toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['note://a'] })
    } else await client.subscribeResource({ uri: 'note://a' })
    serving.notify.toolsChanged()
    serving.notify.promptsChanged()
    serving.notify.resourcesChanged()
    serving.notify.resourceUpdated('note://a')
    await all
    expect(got).toEqual(['tools', 'prompts', 'resource'])
    await serving.close()
  })
})

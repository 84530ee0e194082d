// What an application shows beside its questions: in the message for any client, and as it is on a desk.
import { app } from '@beckon/app'
import { code, diff } from '@beckon/app/show'
import { createDesk } from '@beckon/desk'
import { messageWith } from 'beckon/desk/adapter'
import { describe, expect, it, onTestFinished } from 'vitest'
import { allEras } from '../../packages/gateway/test/clients.js'
import { agentOn, startGateway } from '../../packages/gateway/test/setup.js'
import { Person } from '../../packages/host/test/person.js'

// More than a message has room for.
const show = [diff('port = 80', 'port = 443', { title: 'nginx.conf' }), code('line\n'.repeat(5_000))]

/** An application that asks twice, claimed by an agent. */
async function claimed(url: string, agent: Awaited<ReturnType<typeof agentOn>>) {
  const ops = app({ id: 'ops', name: 'Operations' })
  ops.action('save').handler(async (_input, ctx) => ({
    sure: await ctx.confirm({ question: 'Save?', show }),
    where: await ctx.elicit({ question: 'Where?', schema: ['eu', 'us'], show }),
  }))
  const connection = await ops.connect(new URL('/beckon/app', url).href.replace(/^http/, 'ws'))
  onTestFinished(() => connection.close())
  await agent.call('tesseron__claim_session', { code: connection.claimCode })
}

describe.each(allEras)('a client of %s', era => {
  it('reads it in the message, bound to all of it', async () => {
    const { url } = await startGateway()
    const agent = await agentOn(url, era, {
      answer: ({ params }) => ({
        action: 'accept',
        content: params.message.startsWith('Save?') ? {} : { value: 'eu' },
      }),
    })
    await claimed(url, agent)
    expect(await agent.call('ops__save')).toBe('{"sure":true,"where":"eu"}')
    expect(agent.asked.all.map(({ params }) => params.message)).toEqual([
      messageWith('Save?', show),
      messageWith('Where?', show),
    ])
  })

  it('that cannot ask leaves it to the desk, which has the blocks themselves', async () => {
    const desk = createDesk()
    onTestFinished(() => desk.close())
    const { socketUrl } = await desk.listen()
    const person = await Person.at(socketUrl)
    onTestFinished(() => person.close())
    const { url } = await startGateway({ server: { desk, wait: 'hold' } })
    const agent = await agentOn(url, era)
    await claimed(url, agent)
    const called = agent.call('ops__save')
    const sure = await person.next()
    expect(sure.request._meta).toMatchObject({ 'beckon/show': show, 'beckon/asker': 'Operations' })
    await person.accept(sure)
    const where = await person.next()
    expect(where.request._meta).toMatchObject({ 'beckon/show': show })
    await person.accept(where, { value: { kind: 'selected', value: 'eu' } })
    expect(await called).toBe('{"sure":true,"where":"eu"}')
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { createServer, type ToolConfig } from '../index.js'
import { createTestClient, createTestDesk } from '../test/index.js'
import { reportOf } from './call-report.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server whose tool asks twice on a desk, and then does as `end` says. */
function setUp(end: () => unknown, config: ToolConfig = {}) {
  const desk = createTestDesk()
  const server = createServer({ name: 'shop', version: '1', desk, wait: 'hold' })
  server.tool('deploy', config, async (_input, ctx) => {
    await ctx.confirm('First?')
    await ctx.confirm('Second?')
    return end() as string
  })
  server.tool('plain', {}, async () => 'Nothing was asked.')
  const client = createTestClient(server, { principal: 'ann', capabilities: {} })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  const run = async () => {
    const result = client.callTool('deploy').catch(error => error)
    for (const question of ['First?', 'Second?']) {
      await expect.poll(() => desk.person('ann').asks().length).toBe(1)
      await desk.person('ann').answer(question, true)
    }
    await result
    return desk.asked.map(({ report }) => report)
  }
  return { client, desk, run }
}

describe('a server', () => {
  it('says on the desk what came of a call, once it has its reply, for each of its asks', async () => {
    const { run } = setUp(() => `Deployed ${'x'.repeat(1_000)}`)
    const report = { status: 'done', text: `Deployed ${'x'.repeat(491)}` }
    expect(await run()).toEqual([report, report])
  })

  it('says why a call failed', async () => {
    const { run } = setUp(() => {
      throw new Error('The cluster is full.')
    })
    const [report] = await run()
    expect(report).toMatchObject({ status: 'failed' })
  })

  it('says as much as the tool lets it', async () => {
    expect(await setUp(() => 'The salaries', { report: 'status' }).run()).toEqual([
      { status: 'done' },
      { status: 'done' },
    ])
    expect(await setUp(() => 'The salaries', { report: 'nothing' }).run()).toEqual([undefined, undefined])
  })

  it('says nothing of a call that asked nothing', async () => {
    const { client, desk } = setUp(() => '')
    await client.callTool('plain')
    expect(desk.asked).toEqual([])
  })
})

describe('a report', () => {
  it('has the first text of a result, the message of an error, or that the call was cancelled', () => {
    const image = { type: 'image', data: '', mimeType: 'image/png' }
    expect(reportOf({ result: { content: [{ type: 'text', text: 'Done.' }, image] } })).toEqual({
      ...{ status: 'done', text: 'Done.' },
    })
    expect(reportOf({ result: { content: [image] } })).toEqual({ status: 'done' })
    expect(reportOf({ result: {} })).toEqual({ status: 'done' })
    expect(reportOf({ result: { isError: true, content: [{ type: 'text', text: 'No.' }] } })).toEqual({
      ...{ status: 'failed', text: 'No.' },
    })
    expect(reportOf({ error: { code: -32603, message: 'Broke.' } })).toEqual({ status: 'failed', text: 'Broke.' })
    expect(reportOf('cancelled')).toEqual({ status: 'failed', text: 'The call was cancelled.' })
  })
})

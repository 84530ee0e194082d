// Calls that overlap on one connection to a server of 2025: over HTTP the stream says which call an ask is for.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Client } from '@modelcontextprotocol/client'
import { createServer } from 'beckon'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Running, startBeckon } from '../../test/beckon.js'
import { connectHttp, newClient, patience, textOf } from '../../test/clients.js'
import { openInbox } from '../../test/inbox-person.js'

const patient = 120_000
const server = createServer({ name: 'shop', version: '1.0.0' })
server.tool('twice', { input: { type: 'object' } }, async ({ about }, ctx) => {
  const outcomes = [await ctx.confirm(`${about} once?`), await ctx.confirm(`${about} again?`)]
  return outcomes.join()
})
let proxy: Running
let url = ''
let client: Client

beforeAll(async () => {
  proxy = startBeckon(['proxy', '--http', '0', (await server.listen({ port: 0 })).url])
  url = (await proxy.written(/the proxy is at (\S+)/))[1] ?? ''
}, patient)

afterEach(() => client.close())

afterAll(async () => {
  await proxy.stop()
  await server.close()
}, patient)

it('puts each ask to the client on the stream of its own call', { timeout: patient }, async () => {
  // The official client handles what comes on a stream in the context of the request that opened it.
  const stream = new AsyncLocalStorage<string>()
  const asked: [string | undefined, string][] = []
  let bothAreAsked = () => {}
  const both = new Promise<void>(resolve => {
    bothAreAsked = resolve
  })
  client = newClient('2025', async ({ message }) => {
    asked.push([stream.getStore(), message])
    if (asked.length === 2) bothAreAsked()
    await both
    return { action: 'accept', content: {} }
  })
  await connectHttp(client, url)
  const call = (about: string) =>
    stream.run(about, () => client.callTool({ name: 'twice', arguments: { about } }, patience).then(textOf))
  expect(await Promise.all([call('Ada'), call('Grace')])).toEqual(['true,true', 'true,true'])
  expect([...asked].sort()).toEqual([
    ['Ada', 'Ada again?'],
    ['Ada', 'Ada once?'],
    ['Grace', 'Grace again?'],
    ['Grace', 'Grace once?'],
  ])
})

it('says in the inbox which call asks', { timeout: patient }, async () => {
  client = await connectHttp(newClient('2025'), url)
  const call = (about: string) => client.callTool({ name: 'twice', arguments: { about } }, patience).then(textOf)
  const calls = Promise.all([call('Ada'), call('Grace')])
  const person = await openInbox((await proxy.written(/asks: .* once\? Answer at (\S+)/))[1] ?? '')
  await Promise.all([person.sees('Ada once?'), person.sees('Grace once?')])
  for (const message of ['Ada once?', 'Grace once?', 'Ada again?', 'Grace again?']) {
    const { tool, arguments: input } = await person.answer(message, { action: 'accept' })
    expect({ tool, input }).toEqual({ tool: 'twice', input: { about: message.split(' ')[0] } })
  }
  expect(await calls).toEqual(['true,true', 'true,true'])
})

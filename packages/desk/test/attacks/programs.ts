// Programs with a token of their own, and whoever calls the tools of a server.
import { type Clock, createServer, systemClock } from 'beckon'
import { createTestClient } from 'beckon/test'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Family } from '../../../../test/attack-table.js'
import { attacked, bank, must, shop, tokenOf, told } from './desk-under-attack.js'

const sure = { id: 'sure', message: 'Sure?' }
const text = { type: 'string' }
const listed = async (response: Response) => ((await response.json()) as { asks: object[] }).asks

export const programs: Family = {
  family: 'A program that asks',
  attacks: [
    {
      attack: 'a server asks for a password, an API key and a card number, with the token that it has',
      async run() {
        const desk = await attacked()
        const fields = [{ password: text }, { api_key: text }, { number: { ...text, title: 'Card number' } }]
        const got = await Promise.all(
          fields.map(properties =>
            desk.send(shop, 'POST', '/api/asks', { ...sure, schema: { type: 'object', properties } }),
          ),
        )
        must(
          got.every(({ status }) => status === 400),
          got.map(({ status }) => status).join(),
        )
        return '400, and nobody is asked'
      },
    },
    {
      attack: 'a stranger calls a tool that asks 150 times',
      async run() {
        const desk = await attacked({ limits: { maxOpenAsksPerCaller: 50 } })
        const server = createServer({ name: 'shop', version: '1', desk, wait: 1 })
        server.tool('buy', { input: z.object({ item: z.number() }) }, async (_, ctx) =>
          (await ctx.confirm('Buy?')) ? 'bought' : 'not bought',
        )
        const client = createTestClient(server, { capabilities: {} })
        onTestFinished(async () => {
          await client.close()
          await server.close()
        })
        const results = []
        for (let from = 0; from < 150; from += 75)
          results.push(
            ...(await Promise.all(
              Array.from({ length: 75 }, (_, at) =>
                client.callTool('buy', { item: from + at }).then(
                  result => JSON.stringify(result),
                  error => String(error),
                ),
              ),
            )),
          )
        const asked = results.filter(result => result.includes('A person was asked')).length
        must(!results.some(result => result.includes('"bought')), 'Something was bought.')
        const { asks } = (await (await desk.send(tokenOf('alice'), 'GET', '/api/asks?limit=200')).json()) as {
          asks: object[]
        }
        must(asks.length === 50, `Alice has ${asks.length}.`)
        must(asked === 50, `${asked} were asked.`)
        return `with maxOpenAsksPerCaller: 50, ${asked} are asked; the others read: ${messageIn(results.at(-1) ?? '')}`
      },
    },
    {
      attack: 'the same at a server in another process, which the desk refuses over HTTP',
      async run() {
        const desk = await attacked({ limits: { maxOpenAsksPerServer: 5 } })
        const waits: number[] = []
        const clock: Clock = {
          ...systemClock,
          after(ms, run) {
            waits.push(ms)
            return systemClock.after(ms, run)
          },
        }
        const server = createServer({
          name: 'shop',
          version: '1',
          desk: { url: desk.url, token: shop },
          clock,
          wait: 1,
        })
        server.tool('buy', { input: z.object({ item: z.number() }) }, async (_, ctx) =>
          (await ctx.confirm('Buy?')) ? 'bought' : 'not bought',
        )
        const client = createTestClient(server, { capabilities: {} })
        onTestFinished(async () => {
          await client.close()
          await server.close()
        })
        const call = async (item: number) => (await client.callTool('buy', { item })).content[0]?.text ?? ''
        for (let item = 0; item < 5; item++)
          must((await call(item)).includes('A person was asked'), 'Nobody was asked.')
        waits.length = 0
        const refused = await call(5)
        must(!waits.includes(500), 'It was tried again.')
        return `the sixth of 5 is not tried again; the model reads: ${refused}`
      },
    },
    {
      attack: 'a server opens more asks than it may, over all its callers, many at once',
      async run() {
        const desk = await attacked({ limits: { maxOpenAsksPerServer: 50 } })
        const open = (token: string, number: number) =>
          desk.send(token, 'POST', '/api/asks', { ...sure, id: `a${number}`, principal: `p${number % 20}` })
        const got = await Promise.all(Array.from({ length: 200 }, (_, number) => open(shop, number)))
        const opened = got.filter(({ status }) => status === 201).length
        must(opened === 50, `${opened} were opened.`)
        const refused = got.find(({ status }) => status !== 201)
        const other = await open(bank, 1)
        // What is there is found, however many there are.
        const isFirst = got.findIndex(({ status }) => status === 201)
        const again = await open(shop, isFirst)
        must(other.status === 201 && again.status === 201, `${other.status} and ${again.status}`)
        return `${opened} of 200; then ${refused && (await told(refused))} The bank opens its own`
      },
    },
    {
      attack: 'a stranger calls a tool with 3.5 MB of arguments, which everybody would be sent',
      async run() {
        const desk = await attacked()
        const server = createServer({ name: 'shop', version: '1', desk })
        server.tool('note', { input: z.object({ text: z.string() }) }, async (_, ctx) =>
          (await ctx.confirm('Keep it?')) ? 'kept' : 'not kept',
        )
        const client = createTestClient(server, { capabilities: {} })
        onTestFinished(async () => {
          await client.close()
          await server.close()
        })
        const result = await client.callTool('note', { text: 'x'.repeat(3_500_000) }).catch(error => error)
        const asks = await listed(await desk.send(tokenOf('alice'), 'GET', '/api/asks'))
        must(asks.length === 0, 'Somebody is asked.')
        return `nobody is asked; the model reads: ${messageIn(JSON.stringify(result))}`
      },
    },
    {
      attack: 'an ask for 20,000 people, one with 40,000 reminders, and one that is open for ever',
      async run() {
        const desk = await attacked()
        const principals = Array.from({ length: 20_000 }, (_, index) => `p${index}`)
        const remindAfterMs = Array.from({ length: 40_000 }, (_, index) => index)
        const bodies = [{ audience: { principals } }, { remindAfterMs }, { timeoutMs: 1e300 }]
        const got = await Promise.all(bodies.map(body => desk.send(shop, 'POST', '/api/asks', { ...sure, ...body })))
        must(
          got.every(({ status }) => status === 400),
          got.map(({ status }) => status).join(),
        )
        return '400 for each, with the bound'
      },
    },
    {
      attack: 'a body of 1 MB, and one that is nested 100,000 deep',
      async run() {
        const desk = await attacked()
        const deep = `{"id":"a","message":"b","arguments":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
        const got = [
          await desk
            .send(shop, 'POST', '/api/asks', { ...sure, arguments: 'x'.repeat(1_000_000) })
            .catch(() => undefined),
          await desk.send(shop, 'POST', '/api/asks', deep),
        ]
        must(desk.errors.length === 0, String(desk.errors[0]))
        must(got[1]?.status === 400, `${got[1]?.status}`)
        return `${got[0]?.status ?? 'cut off'} and ${got[1] && (await told(got[1]))}`
      },
    },
    {
      attack: 'the bank waits for, withdraws and opens again what the shop asks',
      async run() {
        const desk = await attacked()
        const { session, id } = (await (await desk.send(shop, 'POST', '/api/asks', sure)).json()) as Opened
        const path = `/api/asks/${session}/${id}`
        const got = [
          (await desk.send(bank, 'GET', `${path}/outcome?waitMs=0`)).status,
          (await desk.send(bank, 'DELETE', path)).status,
        ]
        const own = (await (await desk.send(bank, 'POST', '/api/asks', sure)).json()) as Opened
        must(got.every(status => status === 404) && own.session !== session, got.join())
        return '404, 404, and an ask of its own'
      },
    },
    {
      attack: 'a server reads, lists and answers asks with its token',
      async run() {
        const desk = await attacked()
        const { session, id } = (await (await desk.send(shop, 'POST', '/api/asks', sure)).json()) as Opened
        const got = await Promise.all([
          desk.send(shop, 'GET', '/api/asks'),
          desk.send(shop, 'GET', `/api/asks/${session}/${id}`),
          desk.send(shop, 'GET', '/api/audit'),
          desk.send(shop, 'POST', `/api/asks/${session}/${id}/answer`, {}),
          desk.send(shop, 'POST', '/ticket'),
        ])
        const statuses = got.map(({ status }) => status)
        must(
          statuses.every(status => status >= 400),
          statuses.join(),
        )
        return statuses.join(', ')
      },
    },
  ],
}

interface Opened {
  readonly session: string
  readonly id: string
}

function messageIn(result: string): string {
  return /"text":"([^"]+)"/.exec(result)?.[1] ?? result.slice(0, 200)
}

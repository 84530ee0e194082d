// Handlers of the official SDK that ask: what a schema made of the arguments is what a person says yes to.
import type { Client } from '@modelcontextprotocol/client'
import { McpServer } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { asks } from '../../src/asks/asks.js'
import { closeAll, connect, serve } from '../sdk-serving.js'
import type { Family } from './attack.js'

interface Asked {
  readonly inputRequests: Readonly<Record<string, unknown>>
  readonly requestState: string
}

/** A tool whose schema makes something of a file before its handler asks whether to run it. */
async function runner(made: (sent: string) => unknown, ran: unknown[]): Promise<Client> {
  onTestFinished(closeAll)
  const served = await serve(() => {
    const server = new McpServer({ name: 'ci', version: '1.0.0' })
    server.registerTool(
      'run',
      { inputSchema: z.object({ file: z.string().transform(made) }) },
      asks(async ({ file }, ctx) => {
        if (!(await ctx.confirm('Run it?'))) return 'not run'
        ran.push(file)
        return 'ran'
      }),
    )
    return server
  }, 'http')
  return connect(served, '2026-07-28')
}

export const asking: Family = {
  family: '`asks()`',
  attacks: [
    {
      attack: 'the yes to a file is sent with another of the same length and beginning, which a schema made bytes of',
      async run() {
        const ran: unknown[] = []
        const client = await runner(sent => Buffer.from(sent), ran)
        const call = (file: string, more: object = {}) =>
          client.callTool({ name: 'run', arguments: { file }, ...more }, { allowInputRequired: true })
        const { inputRequests, requestState } = (await call(`${'#'.repeat(100)}good`)) as unknown as Asked
        const inputResponses = Object.fromEntries(
          Object.keys(inputRequests).map(key => [key, { action: 'accept', content: {} }]),
        )
        const got = await call(`${'#'.repeat(100)}evil`, { inputResponses, requestState }).then(
          result => `ran: ${JSON.stringify(result)}`,
          error => `error ${error.code}: ${error.message}`,
        )
        if (ran.length > 0) throw new Error(got)
        return got
      },
    },
    {
      attack: 'the same with arguments that nobody can look into, such as a `Blob`',
      async run() {
        const client = await runner(sent => new Blob([sent]), [])
        const { isError, content } = await client.callTool({ name: 'run', arguments: { file: 'a' } })
        if (isError !== true) throw new Error('Somebody is asked.')
        return `nobody is asked: ${(content as { text: string }[])[0]?.text}`
      },
    },
  ],
}

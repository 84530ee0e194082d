import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { toNode } from '../../src/index.js'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { connect, serve, textOf } from './opened.js'
import { Visitor } from './visitor.js'
import { opening } from './wires.js'

it.each([
  ['as they are', false],
  ['behind a parser of forms', true],
])('pages are served from inside Express, %s', async (_how, parsesForms) => {
  const app = express()
  const listening: Server = app.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const publicUrl = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/app`
  const server = serve({ publicUrl })
  if (parsesForms) app.use(express.urlencoded({ extended: false }))
  app.use('/app', toNode(server))
  const schema = z.object({ username: z.string(), password: z.string(), teams: z.array(z.enum(['a', 'b', 'c'])) })
  server.tool(
    'stock',
    credentials({ message: 'Sign in.', schema, verify: values => values }),
    {},
    async (_input, ctx) => ctx.json((await ctx.session.get<{ teams: string[] }>('credentials'))?.teams),
  )
  const client = connect(
    server,
    opening('push', async url => {
      expect(url).toContain(`${publicUrl}/beckon/go/`)
      const typed = { 'field-username': 'ada', 'field-password': 'p & p', 'field-teams': 'b' }
      expect(await new Visitor().submit(url, typed)).toMatchObject({ title: 'Done' })
    }),
  )
  try {
    expect(textOf(await client.callTool('stock'))).toBe('["b"]')
  } finally {
    listening.closeAllConnections()
    listening.close()
  }
})

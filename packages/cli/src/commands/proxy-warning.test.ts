import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { askingOnStdio, beckon } from '../../test/beckon.js'
import { connectStdio, eras, newClient, patience, textOf } from '../../test/clients.js'

const server = [...askingOnStdio]

it.each(eras)(
  'tells the desk which tools can destroy something, once a client has listed them, %s',
  {
    timeout: 120_000,
  },
  async era => {
    const attended: unknown[] = []
    // A desk where everyone says no at once.
    const desk = createServer(async (request, response) => {
      const body = JSON.parse((await text(request)) || '{}')
      if ('tool' in body) attended.push([body.tool, body.destructive])
      const opened = { session: 'call-shop.1', id: '1', link: 'http://127.0.0.1/' }
      const reply = request.method === 'POST' ? opened : { action: 'decline' }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
    })
    await new Promise<void>(resolve => desk.listen(0, '127.0.0.1', resolve))
    // A server that listens on a port has an address of this kind.
    const { port } = desk.address() as AddressInfo
    const client = newClient(era)
    await connectStdio(
      client,
      beckon('proxy', '--desk', `http://shop:a-token-of-the-shop@127.0.0.1:${port}`, '--', ...server),
    )
    await client.listTools()
    expect(textOf(await client.callTool({ name: 'erase' }, patience))).toBe('Kept.')
    expect(textOf(await client.callTool({ name: 'hostile' }, patience))).toBe('no')
    expect(attended).toEqual([
      ['erase', true],
      ['hostile', false],
    ])
    await client.close()
    await new Promise(resolve => desk.close(resolve))
  },
)

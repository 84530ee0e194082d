import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { newClient } from '../../test/clients.js'
import { connect } from './connect.js'

it.each([401, 404])('says where most servers are, where %d is the answer at the root of a host', async status => {
  const server = createServer((_request, response) => response.writeHead(status).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const connected = connect(newClient('2025'), { kind: 'url', url: new URL(`http://127.0.0.1:${port}/`) })
  await expect(connected).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/Most (MCP servers )?are at .*\/mcp\.$/),
  })
})

import { UrlElicitationRequiredError } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import { createTestClient } from '../test/index.js'
import { createServer } from './create-server.js'

const page = { mode: 'url', message: 'Sign.', url: 'https://sign.example', elicitationId: 'e' } as const

// 2025-11-25 and before, resources: "Resource not found: -32002"; since 2026-07-28 -32602.
it.each([
  [-32002, { wire: 'push', revision: '2025-06-18' }],
  [-32002, { wire: 'push' }],
  [-32602, { wire: 'rounds' }],
] as const)('answers for a resource that is not there with %s: %o', async (code, options) => {
  const client = createTestClient(server(), options)
  try {
    await expect(client.readResource('note://none')).rejects.toMatchObject({ code })
  } finally {
    await client.close()
  }
})

function server() {
  return createServer({ name: 's', version: '1.0.0' })
    .tool('page', {}, () => {
      throw new UrlElicitationRequiredError([page])
    })
    .tool('own', {}, () => {
      throw Object.assign(new Error('Closed today.'), { code: -32050 })
    })
    .tool('gone', { task: 'optional' }, () => {
      throw Object.assign(new Error('No such note.'), { code: -32002 })
    })
}

// 2026-07-28, basic: "Implementations of this protocol version MUST NOT emit" -32042 and -32002, nor a number from -32020 to -32099
// that it does not define.
it.each([
  ['page', -32042, { wire: 'push' }],
  ['page', undefined, { wire: 'rounds' }],
  ['own', -32050, { wire: 'push' }],
  ['own', undefined, { wire: 'rounds' }],
  ['gone', -32002, { wire: 'push' }],
  ['gone', -32602, { wire: 'rounds' }],
  ['gone', -32602, { wire: 'tasks' }],
] as const)(
  'lets the error of the tool %s leave with %s, and makes a result of it where the revision has no such number: %o',
  async (tool, code, options) => {
    const client = createTestClient(server(), options)
    try {
      const call = client.callTool(tool)
      if (code === undefined) expect(await call).toMatchObject({ isError: true, content: [{ type: 'text' }] })
      else await expect(call).rejects.toMatchObject({ code })
    } finally {
      await client.close()
    }
  },
)

import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { modernCall } from '../../test/raw-http.js'
import type { BeckonServer } from './beckon-server.js'
import { createServer } from './create-server.js'

const open: BeckonServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

it('takes requests for its public address behind a proxy, and for no other', async () => {
  const server = createServer({ name: 'public', version: '1.0.0', publicUrl: 'https://tools.example/mcp' })
  open.push(server)
  const { url } = await server.listen({ port: 0 })
  const statusFor = async (host: string) => {
    const { method = 'POST', body, headers } = modernCall()
    const request = httpRequest(url, { method, headers: { ...(headers as Record<string, string>), host } })
    request.end(body)
    const [response] = await once(request, 'response')
    response.resume()
    return response.statusCode
  }
  expect(await statusFor('tools.example')).toBe(200)
  expect(await statusFor(new URL(url).host)).toBe(200)
  expect(await statusFor('evil.example')).toBe(403)
})

it('refuses a second tool of the same name, and a name that no client takes', () => {
  const server = createServer({ name: 'names', version: '1.0.0' }).tool('t', {}, () => 'one')
  open.push(server)
  expect(() => server.tool('t', {}, () => 'two')).toThrow(/already/)
  expect(() => server.tool('two words', {}, () => 'two')).toThrow(/not a name for a tool/)
})

it.each([
  ['inputSchema', 'Write input.'],
  ['inpt', 'Write input.'],
  ['colour', 'one of title, description'],
])('refuses an option of a tool that nobody reads: %s', (option, remedy) => {
  const server = createServer({ name: 's', version: '1' })
  expect(() => server.tool('t', { [option]: {} } as object, () => 'x')).toThrow(remedy)
})

it.each([
  [undefined, "createServer({ name: 'shop', version: '1.0.0' })"],
  [{ name: 'shop' }, '`version`'],
  [{ version: '1.0.0' }, '`name`'],
  [{ name: '', version: '1.0.0' }, '`name`'],
  [{ name: 'shop', version: '1.0.0', dsk: 'https://desk.example' }, 'an option "dsk" that nobody reads. Write desk.'],
  [{ name: 'shop', version: '1.0.0', limits: { roundss: 1 } }, 'a limit "roundss" that nobody reads. Write rounds.'],
  [{ name: 'shop', version: '1.0.0', store: 'postgres://ada:hush@db/x' }, "postgresStore('postgres://...')"],
  [{ name: 'shop', version: '1.0.0', store: {} }, '`store`'],
])('does not begin with options that would be read by nobody: %j', (options, message) => {
  // As it is written without types.
  const make = () => createServer(options as never)
  expect(make).toThrow(message)
  expect(make).not.toThrow('hush')
})

it.each([
  [{ prot: 3000 }, 'an option "prot" that nobody reads. Write port.'],
  [3000, 'listen({ port: 3000 })'],
  [null, 'listen({ port: 3000 })'],
])('does not listen elsewhere for an option that nobody reads: %j', async (options, message) => {
  const server = createServer({ name: 's', version: '1' })
  open.push(server)
  await expect(server.listen(options as never)).rejects.toThrow(message)
})

it('says which port is taken', async () => {
  const taken = createServer({ name: 's', version: '1' })
  const { url } = await taken.listen({ port: 0 })
  const port = Number(new URL(url).port)
  const other = createServer({ name: 's', version: '1' })
  await expect(other.listen({ port })).rejects.toThrow(`Port ${port} is taken`)
  await Promise.all([taken.close(), other.close()])
})

import type { Listening } from '@beckon/desk'
import { expect, it } from 'vitest'
import { exitCodes } from '../exit-codes.js'
import { listenOn, portOf, portProblem } from './ports.js'

const taken = (port: number) =>
  Object.assign(new Error(`listen EADDRINUSE: address already in use 127.0.0.1:${port}`), { code: 'EADDRINUSE', port })

/** Listens on any port but 4747. */
async function listen(port: number): Promise<Listening> {
  if (port === 4747) throw taken(port)
  const url = `http://127.0.0.1:${port}/`
  return { url, link: url, newLink: () => url, socketUrl: url }
}

it('goes elsewhere when the usual port is taken, and says so', async () => {
  const said: string[] = []
  const { url } = await listenOn({ port: undefined, usual: 4747, say: line => said.push(line) }, listen)
  expect(url).toBe('http://127.0.0.1:0/')
  expect(said).toEqual([expect.stringContaining('Port 4747 is taken')])
})

it('takes no other port than the one that was asked for', async () => {
  const say = () => expect.unreachable()
  const { url } = await listenOn({ port: 5000, usual: 4747, say }, listen)
  expect(url).toBe('http://127.0.0.1:5000/')
  const error = await listenOn({ port: 4747, usual: 5000, say }, listen).catch(reason => reason)
  expect(portProblem(error)).toMatchObject({
    exitCode: exitCodes.cannotConnect,
    message: expect.stringContaining('Port 4747 is taken'),
  })
})

it('tells problems of ports from others', () => {
  const refused = Object.assign(new Error('listen EACCES'), { code: 'EACCES', port: 80 })
  expect(portProblem(refused)?.message).toBe('Port 80 may not be used by you. Choose one above 1023.')
  expect(portProblem(refused, '"listen.port"')?.message).toContain('Choose one above 1023 with "listen.port".')
  expect(portProblem(Object.assign(new Error('open EACCES'), { code: 'EACCES' }))).toBeUndefined()
  expect(portProblem(new Error('x'))).toBeUndefined()
})

it.each(['', '65536', '-1', '1.5', 'http'])('takes "%s" for no port', word => {
  expect(() => portOf(word)).toThrow('is not a port')
})

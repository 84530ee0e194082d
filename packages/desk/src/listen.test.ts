import { once } from 'node:events'
import { connect } from 'node:net'
import { createTestClock } from 'beckon/test'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Access, bearerAccess } from './access/index.js'
import { createDesk, type Desk } from './create-desk.js'

const open: Desk[] = []
afterEach(async () => {
  for (const desk of open.splice(0)) await desk.close()
})

function start(options: Parameters<typeof createDesk>[0]): Desk {
  const desk = createDesk(options)
  open.push(desk)
  return desk
}

const upgrade = (host: string) =>
  `GET /live HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

describe('the door of a desk', () => {
  it('answers what was asked before it closes, and takes nobody more', async () => {
    const answers: (() => void)[] = []
    const slow: Access = {
      authenticate: async () => {
        await new Promise<void>(resolve => answers.push(resolve))
        return { principal: 'alice', device: 'd' }
      },
      handle: async () => undefined,
    }
    const desk = start({ access: slow })
    const { url } = await desk.listen()
    const before = fetch(new URL('/api/me', url))
    while (answers.length === 0) await new Promise(resolve => setImmediate(resolve))
    const closed = desk.close()
    // Not by `fetch`, which may wait for the connection that is busy.
    const [refused] = await once(connect(Number(new URL(url).port), '127.0.0.1'), 'error').catch(error => [error])
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
    answers[0]?.()
    expect((await before).status).toBe(200)
    await closed
  })

  it('says that a port is taken', async () => {
    const first = start({})
    const port = Number(new URL((await first.listen()).url).port)
    await expect(start({}).listen({ port })).rejects.toThrow(`Port ${port} is taken.`)
  })

  it('tells a program that is not let in so as a problem', async () => {
    const { url } = await start({ access: bearerAccess({ tokens: {} }) }).listen()
    const reply = await fetch(new URL('/api/asks', url))
    expect([reply.status, reply.headers.get('content-type')]).toEqual([401, 'application/problem+json'])
    expect(await reply.json()).toMatchObject({ status: 401, code: 'sign-in-required', detail: expect.any(String) })
  })

  it('cuts off what is beside it, which may go on for ever', async () => {
    let isBeside = () => {}
    const begun = new Promise<void>(resolve => {
      isBeside = resolve
    })
    const desk = start({})
    const { url } = await desk.listen({
      beside(_incoming, outgoing) {
        outgoing.writeHead(200).flushHeaders()
        isBeside()
        return true
      },
    })
    const endless = expect(fetch(url).then(response => response.text())).rejects.toThrow()
    await begun
    await desk.close()
    await endless
  })

  it('outlives a client that resets its connection while it is looked up', async () => {
    const answers: (() => void)[] = []
    const slow: Access = {
      authenticate: async () => {
        await new Promise<void>(resolve => answers.push(resolve))
        return { principal: 'alice', device: 'd' }
      },
      handle: async () => undefined,
    }
    const lookedUp = async (count: number) => {
      while (answers.length < count) await new Promise(resolve => setImmediate(resolve))
    }
    const { url } = await start({ access: slow }).listen()
    const { hostname, port, host } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(upgrade(host))
    await lookedUp(1)
    socket.resetAndDestroy()
    await once(socket, 'close')
    // Another request comes after the reset, so by the time that it is looked up the reset was seen.
    const again = fetch(new URL('/api/me', url)).then(response => response.status)
    await lookedUp(2)
    for (const answer of answers) answer()
    expect(await again).toBe(200)
  })

  it('says at the address of its sockets what is spoken there, to those whom it lets in', async () => {
    const alice: Access = {
      authenticate: async ({ header }) =>
        header('authorization') === 'Bearer a' ? { principal: 'alice', device: 'd' } : undefined,
      handle: async () => undefined,
    }
    const { url } = await start({ access: alice }).listen()
    const live = new URL('/live', url)
    for (const method of ['GET', 'POST']) {
      const reply = await fetch(live, { method, headers: { authorization: 'Bearer a' } })
      expect([reply.status, reply.headers.get('upgrade')]).toEqual([426, 'websocket'])
      expect(await reply.text()).toMatch(/WebSocket/)
    }
    expect((await fetch(live)).status).toBe(401)
  })

  it('is not left open when the desk may not be reached from there', async () => {
    const desk = start({})
    await expect(desk.listen({ host: '0.0.0.0', port: 0 })).rejects.toThrow(/allowedHosts/)
  })

  it('is known by its public address where it has one', async () => {
    const bearer: Access = {
      authenticate: async () => ({ principal: 'alice', device: 'd' }),
      handle: async () => undefined,
    }
    const desk = start({ access: bearer, publicUrl: 'https://desk.example' })
    const { url, link, socketUrl } = await desk.listen()
    expect([url, link, new URL(socketUrl).host]).toEqual([
      'https://desk.example',
      'https://desk.example',
      'desk.example',
    ])
  })

  it('ends a socket with the proof of who is on it', async () => {
    const clock = createTestClock()
    const proofMs = 10_000
    const access: Access = {
      authenticate: async () => ({ principal: 'alice', device: 'd', expiresAt: clock.now() + proofMs }),
      handle: async () => undefined,
    }
    const { socketUrl } = await start({ access, clock }).listen()
    const socket = new WebSocket(socketUrl.replace(/\?.*/, ''))
    await once(socket, 'open')
    const closed = once(socket, 'close')
    await clock.advance(proofMs)
    const [code] = await closed
    expect(code).toBe(1008)
  })
})

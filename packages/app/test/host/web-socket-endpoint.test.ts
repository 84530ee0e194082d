import { describe, expect, it } from 'vitest'
import { eventually } from '../eventually.js'
import { bind, refusedWith } from '../gateway-socket.js'
import { Home, minuteMs } from './home.js'

const home = new Home()

describe('the gate', () => {
  const other = (code: string) => `${code[0] === 'A' ? 'B' : 'A'}${code.slice(1)}`
  const protocols = (code: string) => ['tesseron-gateway', `tesseron-bind.${code}`]

  it('refuses what brings no code, an odd one, a wrong one, and a page', async () => {
    const { address, claimCode } = await home.listen()
    const { url } = address as { url: string }
    expect(await refusedWith(url, [])).toBe(426)
    expect(await refusedWith(url, ['tesseron-gateway'])).toBe(426)
    expect(await refusedWith(url, protocols('nonsense'))).toBe(400)
    expect(await refusedWith(url, [...protocols(claimCode), `tesseron-bind.${other(claimCode)}`])).toBe(400)
    expect(await refusedWith(url, [`tesseron-bind.${claimCode}`])).toBe(400)
    expect(await refusedWith(url, protocols(other(claimCode)))).toBe(403)
    expect(await refusedWith(url, protocols(claimCode), { origin: 'http://localhost:3000' })).toBe(403)
    expect((await fetch(url.replace('ws:', 'http:'))).status).toBe(426)
  })

  it('has room for one gateway, and for the next once that has left', async () => {
    const listening = await home.listen()
    const { url } = listening.address as { url: string }
    const first = await bind(listening.manifestPath)
    expect(first.socket.protocol).toBe('tesseron-gateway')
    expect(await refusedWith(url, protocols(listening.claimCode))).toBe(409)
    expect(await refusedWith(url, protocols(other(listening.claimCode)))).toBe(409)
    await first.leave()
    const second = await eventually(() => bind(listening.manifestPath))
    expect((await second.next()).method).toBe('tesseron/hello')
  })

  it('closes for a minute after five wrong codes, to the right one too', async () => {
    const listening = await home.listen()
    const { url } = listening.address as { url: string }
    for (let i = 0; i < 5; i++) expect(await refusedWith(url, protocols(other(listening.claimCode)))).toBe(403)
    expect(await refusedWith(url, protocols(listening.claimCode))).toBe(429)
    home.clock.advance(minuteMs - 1)
    expect(await refusedWith(url, protocols(listening.claimCode))).toBe(429)
    home.clock.advance(1)
    await bind(listening.manifestPath)
  })

  it('is not closed by pages', async () => {
    const listening = await home.listen()
    const { url } = listening.address as { url: string }
    const origin = 'https://attacker.example'
    for (let i = 0; i < 9; i++) expect(await refusedWith(url, protocols('AAAA-AA'), { origin })).toBe(403)
    await bind(listening.manifestPath)
  })

  it('ends a gateway that says too much at once', async () => {
    const listening = await home.listen()
    const gateway = await bind(listening.manifestPath)
    gateway.socket.send('x'.repeat(8 * 1024 * 1024 + 1))
    expect(await gateway.closed).toBe(1009)
  })

  it('ends a gateway that does not answer the hello', async () => {
    const listening = await home.listen()
    const gateway = await bind(listening.manifestPath)
    expect((await gateway.next()).method).toBe('tesseron/hello')
    home.clock.advance(30_000)
    expect(await gateway.closed).toBe(1011)
    await eventually(() => bind(listening.manifestPath))
  })
})

import { expect, it } from 'vitest'
import { serveLive } from '../../test/live-served.js'

it('takes so many connections of one person, whatever others have, and one more when one has gone', async () => {
  const desk = await serveLive({ limits: { maxConnections: 2 } })
  try {
    const first = await desk.connect('1.0', { as: 'alice' })
    await desk.connect('0.3', { as: 'alice' })
    const third = await desk.dial('1.0', { as: 'alice' })
    expect(await third.closed).toEqual({ code: 1013 })
    const bob = await desk.connect('1.0', { as: 'bob' })
    await bob.ping()
    first.socket?.close()
    await first.closed
    while (desk.live.connections > 2) await bob.ping()
    await (await desk.connect('1.0', { as: 'alice' })).ping()
  } finally {
    await desk.close()
  }
})

it('takes messages as long as it is told to', async () => {
  const desk = await serveLive({ limits: { maxFrameBytes: 1024 * 1024 } })
  try {
    const client = await desk.connect('1.0')
    await client.request('ping', { padding: 'x'.repeat(512 * 1024) })
    client.socket?.send('x'.repeat(1024 * 1024 + 1))
    expect(await client.closed).toEqual({ code: 1009 })
  } finally {
    await desk.close()
  }
})

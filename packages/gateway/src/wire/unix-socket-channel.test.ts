import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { UnixSocketChannel } from './unix-socket-channel.js'

it('lets an application go that does not read', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-unix-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'app.sock')
  const app = createServer({ pauseOnConnect: true }).listen(path)
  onTestFinished(() => void app.close())
  await once(app, 'listening')
  const socket = connect(path)
  const [theirs] = await once(app, 'connection')
  onTestFinished(() => theirs.destroy())
  const channel = new UnixSocketChannel(socket)
  const closed = new Promise<string>(resolve => channel.open({ message: () => {}, closed: resolve }))
  const text = 'x'.repeat(8 * 1024 * 1024)
  for (let sent = 0; sent < 12; sent++) channel.send(text)
  expect(await closed).toBe('it does not read')
})

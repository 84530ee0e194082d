import { readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { app } from '../../src/index.js'
import { eventually } from '../eventually.js'
import { bind, readManifest } from '../gateway-socket.js'
import { codePattern, Home, minuteMs } from './home.js'

const home = new Home()

describe('the manifest', () => {
  it('says all that a gateway has to know, to this user alone', async () => {
    const listening = await home.listen()
    const { url } = listening.address as { url: string }
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/$/)
    expect(dirname(listening.manifestPath)).toBe(join(home.path, '.tesseron', 'instances'))
    expect(await readManifest(listening.manifestPath)).toEqual({
      version: 2,
      instanceId: expect.stringMatching(/^shop-[0-9a-f]{16}$/),
      appName: 'The shop',
      addedAt: home.clock.now(),
      pid: process.pid,
      transport: { kind: 'ws', url },
      helloHandledByHost: true,
      hostMintedClaim: {
        code: expect.stringMatching(codePattern),
        sessionId: expect.stringMatching(/^s_[0-9a-f]{24}$/),
        resumeToken: expect.stringMatching(/^[\w-]{32}$/),
        mintedAt: home.clock.now(),
        expiresAt: home.clock.now() + 10 * minuteMs,
        boundAgent: null,
      },
    })
    expect((await stat(listening.manifestPath)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(listening.manifestPath))).mode & 0o777).toBe(0o700)
    expect(await readdir(dirname(listening.manifestPath))).toHaveLength(1)
  })

  it('is gone with the app', async () => {
    const listening = await home.listen()
    await home.close(listening)
    expect(await readdir(dirname(listening.manifestPath))).toEqual([])
  })

  it('is renewed every five minutes, with the same code', async () => {
    const listening = await home.listen()
    const { hostMintedClaim } = await readManifest(listening.manifestPath)
    home.clock.advance(5 * minuteMs)
    await eventually(async () =>
      expect((await readManifest(listening.manifestPath)).hostMintedClaim).toEqual({
        ...hostMintedClaim,
        expiresAt: hostMintedClaim.expiresAt + 5 * minuteMs,
      }),
    )
    home.clock.advance(60 * minuteMs)
    const gateway = await bind(listening.manifestPath, hostMintedClaim.code)
    expect((await gateway.next()).method).toBe('tesseron/hello')
  })

  it('has a code that is shown', async () => {
    const listening = await home.listen()
    const { hostMintedClaim } = await readManifest(listening.manifestPath)
    expect(home.codes).toEqual([hostMintedClaim.code])
    expect(listening.claimCode).toBe(hostMintedClaim.code)
  })

  it('has its code printed where nobody else shows it', async () => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
    const listening = await app({ id: 'shop', name: 'The shop' }).listen({ home: home.path })
    expect(printed.mock.calls).toEqual([[expect.stringContaining(listening.claimCode)]])
    printed.mockRestore()
    await listening.close()
  })

  it('that cannot be written keeps the app from listening', async () => {
    await writeFile(join(home.path, '.tesseron'), 'not a folder')
    await expect(home.listen()).rejects.toThrow('ENOTDIR')
  })
})

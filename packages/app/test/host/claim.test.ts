import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventually } from '../eventually.js'
import { bind, readManifest, refusedWith } from '../gateway-socket.js'
import { codePattern, Home, minuteMs } from './home.js'

const home = new Home()

describe('a claim', () => {
  it('spends the code: the manifest gets another, for the same session', async () => {
    const listening = await home.listen()
    const { before, after, gateway } = await home.claimedBy(listening)
    expect(after.hostMintedClaim).toMatchObject({
      code: expect.stringMatching(codePattern),
      sessionId: before.hostMintedClaim.sessionId,
      resumeToken: before.hostMintedClaim.resumeToken,
    })
    expect(after.hostMintedClaim.code).not.toBe(before.hostMintedClaim.code)
    expect(home.codes).toEqual([before.hostMintedClaim.code])
    expect(home.agents).toEqual([{ id: 'agent', name: 'Agent' }])
    await gateway.leave()
    const { url } = listening.address as { url: string }
    const spent = ['tesseron-gateway', `tesseron-bind.${before.hostMintedClaim.code}`]
    await eventually(async () => expect(await refusedWith(url, spent)).toBe(403))
  })

  it('that is repeated spends no code', async () => {
    const listening = await home.listen()
    const { after, gateway } = await home.claimedBy(listening)
    gateway.claim()
    gateway.claim()
    gateway.send({ id: 1, method: 'resources/read', params: { name: 'none' } })
    expect(await gateway.next()).toMatchObject({ id: 1 })
    expect(await readManifest(listening.manifestPath)).toEqual(after)
    expect(home.agents).toHaveLength(1)
  })

  it('survives a restart of the gateway, without anyone being asked', async () => {
    const listening = await home.listen()
    const { gateway, after } = await home.claimedBy(listening)
    await gateway.leave()
    home.clock.advance(29_999)
    const again = await eventually(() => bind(listening.manifestPath, after.hostMintedClaim.code))
    await again.welcome(after.hostMintedClaim)
    again.claim()
    again.send({ id: 7, method: 'actions/invoke', params: { name: 'confirm', input: {}, invocationId: 'i' } })
    expect(await again.next()).toMatchObject({ method: 'elicitation/request' })
    home.clock.advance(60 * minuteMs)
    expect(home.codes).toHaveLength(1)
  })

  it('is shown anew when the gateway does not come back', async () => {
    const listening = await home.listen()
    const { gateway, after } = await home.claimedBy(listening)
    await gateway.leave()
    // The app has noticed once it takes the next dial; that one leaves too.
    const again = await eventually(() => bind(listening.manifestPath))
    await again.welcome({ 'beckon/comesBack': true })
    await again.leave()
    await eventually(() => {
      home.clock.advance(30_000)
      expect(home.codes).toHaveLength(2)
    })
    expect(home.codes[1]).toBe(after.hostMintedClaim.code)
    await eventually(async () =>
      expect((await readManifest(listening.manifestPath)).hostMintedClaim).toMatchObject({
        code: home.codes[1],
        sessionId: after.hostMintedClaim.sessionId,
        boundAgent: null,
      }),
    )
  })

  it('survives a restart of the app', async () => {
    const first = await home.listen()
    const { after } = await home.claimedBy(first)
    await home.close(first)
    const second = await home.listen()
    const manifest = await readManifest(second.manifestPath)
    expect(second.manifestPath).toBe(first.manifestPath)
    const { sessionId, resumeToken, boundAgent } = after.hostMintedClaim
    expect(manifest.hostMintedClaim).toMatchObject({ sessionId, resumeToken, boundAgent })
    expect(home.codes).toHaveLength(1)
    await bind(second.manifestPath)
  })

  it('survives two restarts, claimed or not in between', async () => {
    const first = await home.listen()
    const { after } = await home.claimedBy(first)
    await home.close(first)
    await home.close(await home.listen())
    const third = await home.listen()
    expect((await readManifest(third.manifestPath)).hostMintedClaim.sessionId).toBe(after.hostMintedClaim.sessionId)
  })

  it('is shown anew when the app came back and the gateway does not', async () => {
    const first = await home.listen()
    await home.claimedBy(first)
    await home.close(first)
    const second = await home.listen()
    home.clock.advance(30_000)
    expect(home.codes).toEqual([expect.any(String), second.claimCode])
  })

  it('is not shown anew when both came back', async () => {
    const first = await home.listen()
    await home.claimedBy(first)
    await home.close(first)
    const second = await home.listen()
    await home.claimedBy(second, 'Agent again')
    home.clock.advance(60 * minuteMs)
    expect(home.codes).toHaveLength(1)
    expect((await readManifest(second.manifestPath)).hostMintedClaim.boundAgent).toMatchObject({ name: 'Agent again' })
  })

  it.each(['the gateway', 'the app'])(
    'by a gateway that does not come back shows a code at once after %s is gone',
    async who => {
      const first = await home.listen()
      const { gateway, after } = await home.claimedBy(first, 'Agent', {})
      if (who === 'the gateway') await gateway.leave()
      else await home.close(first)
      const { manifestPath } = who === 'the gateway' ? first : await home.listen()
      // No time passes.
      await eventually(() => expect(home.codes).toHaveLength(2))
      const { hostMintedClaim } = await eventually(async () => {
        const manifest = await readManifest(manifestPath)
        expect(manifest.hostMintedClaim).toMatchObject({ code: home.codes[1], boundAgent: null })
        return manifest
      })
      expect(hostMintedClaim.sessionId).toBe(after.hostMintedClaim.sessionId)
      expect(hostMintedClaim.code).not.toBe(home.codes[0])
      await (await bind(manifestPath, home.codes[1])).welcome()
    },
  )

  it('is kept for this user alone', async () => {
    const listening = await home.listen()
    await home.claimedBy(listening)
    const path = join(home.path, '.tesseron', 'apps', 'shop.json')
    await eventually(async () => expect((await stat(path)).mode & 0o777).toBe(0o600))
  })

  it('takes the token that the gateway gives, and keeps it over a restart', async () => {
    const first = await home.listen()
    const gateway = await bind(first.manifestPath)
    await gateway.welcome({ resumeToken: 'rotated' })
    gateway.claim()
    await eventually(async () =>
      expect((await readManifest(first.manifestPath)).hostMintedClaim).toMatchObject({
        resumeToken: 'rotated',
        boundAgent: { name: 'Agent' },
      }),
    )
    await home.close(first)
    const second = await home.listen()
    expect((await readManifest(second.manifestPath)).hostMintedClaim.resumeToken).toBe('rotated')
  })

  it('belongs to the app that runs: another of the same id is another instance', async () => {
    const first = await home.listen()
    const { after } = await home.claimedBy(first)
    const second = await home.listen()
    const manifest = await readManifest(second.manifestPath)
    expect(second.manifestPath).not.toBe(first.manifestPath)
    expect(manifest.hostMintedClaim.sessionId).not.toBe(after.hostMintedClaim.sessionId)
    await home.close(second)
    await home.close(first)
    const third = await home.listen()
    expect(third.manifestPath).toBe(first.manifestPath)
  })

  it.each(['', '{', '7', '{}', '{"instanceId":"../../evil","sessionId":"s","resumeToken":"t"}'])(
    'that was kept as %j is none',
    async text => {
      const first = await home.listen()
      await home.claimedBy(first)
      await home.close(first)
      await writeFile(join(home.path, '.tesseron', 'apps', 'shop.json'), text)
      const second = await home.listen()
      expect(second.manifestPath).not.toBe(first.manifestPath)
      expect(home.codes).toHaveLength(2)
    },
  )
})

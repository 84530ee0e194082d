import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { type Agent, app, type Listening, type ListenOptions } from '../../src/index.js'
import { eventually } from '../eventually.js'
import { bind, readManifest } from '../gateway-socket.js'
import { ManualClock } from '../manual-clock.js'

export const codePattern: RegExp = /^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{2}$/
export const minuteMs = 60_000

/** A home that is new in every test, and what became of the shop there. */
export class Home {
  path = ''
  clock: ManualClock = new ManualClock()
  codes: string[] = []
  agents: Agent[] = []
  readonly #open = new Set<Listening>()

  constructor() {
    vi.setConfig({ testTimeout: 60_000 })
    beforeEach(async () => {
      this.path = await mkdtemp(join(tmpdir(), 'beckon-app-host-'))
      this.clock = new ManualClock()
      this.codes = []
      this.agents = []
    })
    afterEach(async () => {
      for (const listening of this.#open) await this.close(listening)
      await rm(this.path, { recursive: true, force: true })
    })
  }

  /** Opens the shop. */
  async listen(options: ListenOptions = {}): Promise<Listening> {
    const shop = app({ id: 'shop', name: 'The shop', clock: this.clock })
    shop.action('confirm').handler((_input, ctx) => ctx.confirm('Sure?'))
    const listening = await shop.listen({
      home: this.path,
      onClaimCode: code => this.codes.push(code),
      onClaimed: agent => this.agents.push(agent),
      ...options,
    })
    this.#open.add(listening)
    return listening
  }

  async close(listening: Listening): Promise<void> {
    this.#open.delete(listening)
    await listening.close()
  }

  /** A gateway that has claimed the shop, one of ours unless it says otherwise, and the manifest before and after that. */
  async claimedBy(listening: Listening, name = 'Agent', said: object = { 'beckon/comesBack': true }) {
    const before = await readManifest(listening.manifestPath)
    const gateway = await bind(listening.manifestPath)
    await gateway.welcome({ ...before.hostMintedClaim, ...said })
    gateway.claim(name)
    const after = await eventually(async () => {
      const manifest = await readManifest(listening.manifestPath)
      expect(manifest.hostMintedClaim.boundAgent).toEqual({ id: 'agent', name })
      return manifest
    })
    return { gateway, before, after }
  }
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { rawServer } from '../../test/beckon.js'
import { commandTarget } from '../connect/target.js'
import type { Downstream } from './downstream.js'
import { openProxyDesk, type ProxyDesk } from './proxy-desk.js'
import { Upstream } from './upstream.js'

const raw = [...rawServer]
let desk: ProxyDesk

beforeAll(async () => {
  desk = await openProxyDesk({ port: 0, opens: false, rules: undefined })
})

afterAll(() => desk.close())

/** A server of an era, and how often it was started. */
function countedServer(era: string) {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-started-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'starts')
  // Only its command knows of every start, also of those for a probe.
  const target = commandTarget(['sh', '-c', 'echo >> "$0"; exec "$@"', file, ...raw, era])
  return { target, starts: () => readFileSync(file, 'utf8').length }
}

it.each([
  ['2025', '2026', 3],
  ['2026', '2025', 2],
  ['2026', '2026', 2],
] as const)('starts a server once for each client of %s after the first, where it is of %s', async (era, of, first) => {
  const { target, starts } = countedServer(of)
  const downstream: Downstream = { era, info: { name: 'agent', version: '1' }, capabilities: {} }
  for (const expected of [first, first + 1]) {
    const upstream = await Upstream.open(downstream, { target, desk })
    expect(upstream.isModern).toBe(of === '2026')
    expect(starts()).toBe(expected)
    await upstream.close()
  }
})

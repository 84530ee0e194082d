import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../server/test/fake-clock.js'
import { fitsAnyStyle, runScript, type Style } from './scripts/run-script.js'
import type { Script } from './scripts/script.js'
import { startGateway } from './setup.js'

const folder = join(import.meta.dirname, '../cases')
const scripts = readdirSync(folder)
  .filter(name => name.endsWith('.json'))
  .flatMap((name): Script[] => JSON.parse(readFileSync(join(folder, name), 'utf8')))

it('has scripts with ids of their own', () => {
  expect(scripts.length).toBeGreaterThan(30)
  expect(new Set(scripts.map(({ id }) => id)).size).toBe(scripts.length)
})

const styles: readonly Style[] = ['connects', 'is dialled on a WebSocket', 'is dialled on a Unix socket']
// How an application connects and what its client speaks have nothing to do with each other: each style with one client, and
// each client with one style.
const pairs = [
  ...styles.map(style => ({ style, era: '2026-07-28' as const })),
  { style: 'connects' as const, era: '2025-11-25' as const },
]

describe.each(pairs)('an application that $style, with a client of $era', ({ style, era }) => {
  const fitting = style === 'connects' ? scripts : scripts.filter(fitsAnyStyle)
  it.each(fitting.map(script => [script.title, script] as const))('%s', async (_title, script) => {
    const clock = new FakeClock()
    await runScript(script, { era, clock, style, running: await startGateway({ server: { clock } }) })
  })
})

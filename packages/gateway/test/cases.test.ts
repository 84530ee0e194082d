import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../server/test/fake-clock.js'
import { runScript } from './scripts/run-script.js'
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

describe.each(['2025-11-25', '2026-07-28'] as const)('with a client of %s', era => {
  it.each(scripts.map(script => [script.title, script] as const))('%s', async (_title, script) => {
    const clock = new FakeClock()
    await runScript(script, era, await startGateway({ server: { clock } }), clock)
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { app } from '../src/index.js'
import { ManualClock } from './manual-clock.js'
import { runScript } from './scripts/run-script.js'
import type { Script } from './scripts/script.js'
import { offerFixture } from './scripts/scripted-app.js'
import { diallingWith, onUnixSocket, onWebSocket, type Way } from './scripts/ways.js'

vi.setConfig({ testTimeout: 60_000 })

const folder = join(import.meta.dirname, '../cases')
const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.json'))
  .map((name): Script => JSON.parse(readFileSync(join(folder, name), 'utf8')))

const ways: Record<string, (script: Script) => Way> = {
  'listening on a WebSocket': () => onWebSocket,
  'listening on a Unix socket': () => onUnixSocket,
  dialling: ({ fixture }) => diallingWith(fixture.credentials),
}

describe('the scripts', () => {
  it('have each an id of their own', () => {
    expect(scripts.length).toBeGreaterThan(50)
    expect(new Set(scripts.map(({ id }) => id)).size).toBe(scripts.length)
  })
})

describe.each(Object.entries(ways))('an app that is %s', (name, way) => {
  const fitting = scripts.filter(({ fixture }) => fixture.credentials === undefined || name === 'dialling')
  it.each(fitting.map(script => [script.title, script] as const))('%s', async (_title, script) => {
    const clock = new ManualClock()
    const scripted = app({ id: 'scripted', name: 'Scripted', clock })
    offerFixture(scripted, script.fixture)
    await way(script)(scripted, gateway => runScript(script, gateway, clock))
  })
})

import { describe, expect, it } from 'vitest'
import { type BeckonServer, createServer, type ServerOptions } from '../../src/index.js'
import { createTestClient, type TestClient, type TestClientOptions } from '../../src/test/index.js'
import { deskDouble } from '../desk-double.js'
import { FakeClock } from '../fake-clock.js'
import { requirements } from './requirements.js'

/** Those on which the client itself asks the person. */
export const wires = ['push 2025-06-18', 'push 2025-11-25', 'rounds', 'tasks'] as const
/** Those that an ask takes when the client cannot ask: what it gets for a result is the same in every revision. */
export type WireName = (typeof wires)[number] | 'desk' | 'relay'
export type Requirement = keyof typeof requirements

/** A server, its clients and its clock, for one requirement on one wire. */
export interface Bench {
  readonly wire: WireName
  readonly clock: FakeClock
  /** Where people answer, on the wire `desk`. */
  readonly desk: ReturnType<typeof deskDouble>
  server(options?: Partial<ServerOptions>): BeckonServer
  connect(server: BeckonServer, options?: TestClientOptions): TestClient
  /** Lets everything run that waits for this turn of the event loop. */
  turn(): Promise<void>
}

const verified = new Map<Requirement, Set<WireName>>()

/** Runs a check of a requirement on every wire that has it. */
export function verifies(
  requirement: Requirement,
  on: readonly WireName[],
  check: (bench: Bench) => Promise<void>,
): void {
  describe(`${requirement}: ${requirements[requirement]}`, () => {
    it.each(on)('%s', async wire => {
      const clock = new FakeClock()
      const desk = deskDouble()
      const open: { close(): Promise<void> }[] = []
      const bench: Bench = {
        wire,
        clock,
        desk,
        server(options = {}) {
          const server = createServer({
            name: 'requirements',
            version: '1.0.0',
            clock,
            keys: 'a key for requirements',
            ...(wire === 'desk' && { desk, wait: 1 }),
            ...(wire === 'relay' && { fallback: 'relay' as const }),
            ...options,
          })
          open.push(server)
          return server
        },
        connect(server, options = {}) {
          const client = createTestClient(server, { ...optionsOf(wire), ...options })
          open.unshift(client)
          return client
        },
        turn: async () => {
          for (let i = 0; i < 4; i++) await new Promise(resolve => setImmediate(resolve))
        },
      }
      try {
        await check(bench)
        verified.set(requirement, (verified.get(requirement) ?? new Set()).add(wire))
      } finally {
        for (const it of open) await it.close()
      }
    })
  })
}

/** Fails when the manifest names something that nothing verified. Call it last. */
export function verifiesAll(): void {
  it('verifies every requirement of the manifest', () => {
    expect(Object.keys(requirements).filter(id => !verified.has(id as Requirement))).toEqual([])
  })
}

function optionsOf(wire: WireName): TestClientOptions {
  switch (wire) {
    case 'push 2025-06-18':
      return { wire: 'push', revision: '2025-06-18' }
    case 'push 2025-11-25':
      return { wire: 'push', revision: '2025-11-25' }
    case 'desk':
      // A call on the desk is found again by who made it.
      return { wire: 'rounds', capabilities: {}, principal: 'ana' }
    case 'relay':
      return { wire: 'rounds', capabilities: {} }
    default:
      return { wire }
  }
}

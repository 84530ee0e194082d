// Attacks that are carried out for real, against a server as an author would write it. Each says in a few words what the
// attacker got; `attacks.test.ts` puts that into docs/security.md.
import type { AskDesk, BeckonServer, Middleware, ServerOptions } from '../../src/index.js'
import type { TestClientOptions } from '../../src/test/index.js'
import { deskAnsweredBy } from '../desk-double.js'
import { connect, identify, serve, textOf } from '../flows/opened.js'
import { type Visited, Visitor } from '../flows/visitor.js'

export type { Family } from '../../../../test/attack-table.js'

export const publicUrl = 'https://shop.example'

/** Where an attack begins. */
export interface Scene {
  readonly server: BeckonServer
  /** What Alice was sent. */
  readonly link: string
  readonly elicitationId: string | undefined
  readonly alice: Visitor
  readonly bob: Visitor
}

export interface SceneOptions extends Partial<ServerOptions> {
  /** What Alice's client answers after the attack: `accept` where that has ended the flow. Default: `decline`. */
  answer?: 'accept' | 'decline'
  wire?: SceneWire
}

/** The wires that can send a person to a page; `desk` for a client that cannot ask, and people at a desk. */
const sceneWires = ['push', 'rounds', 'tasks', 'desk'] as const
export type SceneWire = (typeof sceneWires)[number]

/** Tries it on each of the wires. It must get the same everywhere. */
export async function onEveryWire(run: (wire: SceneWire) => Promise<string>): Promise<string> {
  const [got = '', ...others] = await Promise.all(sceneWires.map(run))
  if (others.some(other => other !== got)) throw new Error(`The wires differ: ${[got, ...others].join('; ')}`)
  return `${got}, on every wire`
}

/** Alice's client calls a tool behind a gate, and the attack runs while her link is open. It must not open the gate. */
export async function whileAliceIsAsked(
  gate: Middleware,
  attack: (scene: Scene) => Promise<string>,
  { answer = 'decline', wire = 'rounds', ...options }: SceneOptions = {},
): Promise<string> {
  const desk = deskWith(url => answerTo(url, undefined))
  const server = serve({ publicUrl, identify, ...(wire === 'desk' && { desk }), ...options })
  let hasRun = false
  server.tool('gated', gate, { task: 'optional' }, () => {
    hasRun = true
    return 'passed'
  })
  const as = (user: string) => new Visitor(server, { 'x-user': user })
  let got = ''
  async function answerTo(link: string, elicitationId: string | undefined): Promise<'accept' | 'decline'> {
    got = await attack({ server, link, elicitationId, alice: as('alice'), bob: as('bob') })
    return answer
  }
  const client = connect(server, {
    ...(wire === 'desk' ? atDesk : { wire }),
    principal: 'alice',
    answer(ask) {
      if (ask.kind !== 'url') throw new Error('Alice was asked without a link.')
      return answerTo(ask.url, ask.elicitationId)
    },
  })
  const told = await client.callTool('gated').then(textOf, String)
  if (hasRun) throw new Error(`The gate was passed: ${got}`)
  return answer === 'accept' ? `${got}; the model reads: ${told}` : got
}

/** A client that cannot ask. */
const atDesk: TestClientOptions = { wire: 'rounds', capabilities: {} }

/** A desk at which everybody sees every link. */
function deskWith(answer: (url: string) => Promise<'accept' | 'decline'>): AskDesk {
  return deskAnsweredBy(async ({ url = '' }) => {
    const action = await answer(url)
    return action === 'accept' ? { action, content: {} } : { action }
  })
}

/** A page in a few words. */
export function seen({ status, title }: Visited): string {
  return `${status}, “${title}”`
}

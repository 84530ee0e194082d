// Attacks that are carried out for real, against a server as an author would write it. Each says in a few words what the
// attacker got; `attacks.test.ts` puts that into docs/security.md.
import type { BeckonServer, Middleware, ServerOptions } from '../../src/index.js'
import type { TestWire } from '../../src/test/index.js'
import { connect, identify, serve, textOf } from '../flows/opened.js'
import { type Visited, Visitor } from '../flows/visitor.js'

interface Attack {
  /** What is tried, in one line. */
  readonly attack: string
  /** Tries it, and says what that got. Throws when it got anything that it must not. */
  run(): Promise<string>
}

export interface Family {
  readonly family: string
  readonly attacks: readonly Attack[]
}

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
  wire?: TestWire
}

/** Alice's client calls a tool behind a gate, and the attack runs while her link is open. It must not open the gate. */
export async function whileAliceIsAsked(
  gate: Middleware,
  attack: (scene: Scene) => Promise<string>,
  { answer = 'decline', wire = 'rounds', ...options }: SceneOptions = {},
): Promise<string> {
  const server = serve({ publicUrl, identify, ...options })
  let hasRun = false
  server.tool('gated', gate, {}, () => {
    hasRun = true
    return 'passed'
  })
  const as = (user: string) => new Visitor(server, { 'x-user': user })
  let got = ''
  const client = connect(server, {
    wire,
    principal: 'alice',
    answer: async ask => {
      if (ask.kind !== 'url') throw new Error('Alice was asked without a link.')
      got = await attack({
        server,
        link: ask.url,
        elicitationId: ask.elicitationId,
        alice: as('alice'),
        bob: as('bob'),
      })
      return answer
    },
  })
  const told = await client.callTool('gated').then(textOf, String)
  if (hasRun) throw new Error(`The gate was passed: ${got}`)
  return answer === 'accept' ? `${got}; the model reads: ${told}` : got
}

/** A page in a few words. */
export function seen({ status, title }: Visited): string {
  return `${status}, “${title}”`
}
